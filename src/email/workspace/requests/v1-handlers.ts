import type { V1 } from "../../../lib/contract/v1.ts";
import { campaigns } from "../campaigns/handlers.ts";
import { contacts } from "../contacts/handlers.ts";
import { lists } from "../contacts/lists.ts";
import { contactProperties } from "../contacts/property-handlers.ts";
import { components } from "../content/components.ts";
import { emailMessages } from "../content/email-messages.ts";
import { campaignGroups, transactionalGroups, workflowGroups } from "../content/groups.ts";
import { themes } from "../content/themes.ts";
import { transactionalEmails } from "../content/transactional-emails.ts";
import { uploads } from "../content/uploads.ts";
import type { Handlers } from "../core/handler.ts";
import { events } from "../events/handlers.ts";
import { eventPatterns } from "../events/patterns.ts";
import { audienceSegments } from "../segments/segments.ts";
import { previewMessage } from "../sending/preview.ts";
import { suppression } from "../sending/suppression.ts";
import { transactional } from "../sending/transactional.ts";
import { metrics } from "../sends/metrics.ts";
import { apiKey } from "../team/handlers.ts";
import { dedicatedSendingIps } from "../team/sending-ips.ts";
import { workflows } from "../workflows/handlers.ts";

export const handlers: { readonly [Group in keyof V1]: Handlers<Group> } = {
  apiKey,
  contacts,
  contactProperties,
  suppression,
  lists,
  events,
  eventPatterns,
  transactional,
  transactionalEmails: { ...transactionalEmails, metrics },
  transactionalGroups,
  emailMessages: { ...emailMessages, preview: previewMessage },
  campaigns,
  campaignGroups,
  audienceSegments,
  workflows,
  workflowGroups,
  themes,
  components,
  uploads,
  dedicatedSendingIps,
};
