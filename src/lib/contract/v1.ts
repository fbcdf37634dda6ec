import { audienceSegments } from "./audience/segments.ts";
import { campaigns } from "./campaigns/operations.ts";
import type { Contract } from "./operation.ts";
import { apiKey } from "./operations/api-key.ts";
import { components } from "./operations/components.ts";
import { contactProperties } from "./operations/contact-properties.ts";
import { contacts } from "./operations/contacts.ts";
import { dedicatedSendingIps } from "./operations/dedicated-sending-ips.ts";
import { emailMessages } from "./operations/email-messages.ts";
import { eventPatterns } from "./operations/event-patterns.ts";
import { events } from "./operations/events.ts";
import { campaignGroups, transactionalGroups, workflowGroups } from "./operations/groups.ts";
import { lists } from "./operations/lists.ts";
import { suppression } from "./operations/suppression.ts";
import { themes } from "./operations/themes.ts";
import { transactional } from "./operations/transactional.ts";
import { transactionalEmails } from "./operations/transactional-emails.ts";
import { uploads } from "./operations/uploads.ts";
import { workflows } from "./workflows/operations.ts";

/** The v1 API between the bridge and the email service. */
export const v1 = {
  apiKey,
  contacts,
  contactProperties,
  suppression,
  lists,
  events,
  eventPatterns,
  transactional,
  transactionalEmails,
  transactionalGroups,
  emailMessages,
  campaigns,
  campaignGroups,
  audienceSegments,
  workflows,
  workflowGroups,
  themes,
  components,
  uploads,
  dedicatedSendingIps,
} as const satisfies Contract;

export type V1 = typeof v1;
