import type { Contract } from "../operation.ts";
import { audit } from "./audit.ts";
import { about } from "./email/about-service.ts";
import { audience } from "./email/audience.ts";
import { control as campaigns } from "./email/campaigns/control.ts";
import { statistics } from "./email/campaigns/statistics.ts";
import { confirmations } from "./email/confirmations.ts";
import { eventPatterns, events } from "./email/content/events.ts";
import { components, themes } from "./email/content/library.ts";
import { transactionalEmails } from "./email/content/transactional.ts";
import { uploads } from "./email/content/uploads.ts";
import { domains } from "./email/domains.ts";
import { imports } from "./email/imports/operations.ts";
import { keys } from "./email/keys.ts";
import { limits } from "./email/limits.ts";
import { lists } from "./email/lists.ts";
import { overview } from "./email/overview.ts";
import { contacts } from "./email/people/contacts.ts";
import { properties } from "./email/people/properties.ts";
import { suppressions } from "./email/people/suppressions.ts";
import { people } from "./email/people.ts";
import { revisions } from "./email/revisions.ts";
import { sends } from "./email/sends.ts";
import { teams } from "./email/teams.ts";
import { tracking } from "./email/tracking.ts";
import { waves } from "./email/waves.ts";
import { webhooks } from "./email/webhooks.ts";
import { control } from "./email/workflows/control.ts";
import { insight } from "./email/workflows/insight.ts";
import { alerts, metrics } from "./monitor.ts";

/** Contract of the operator API under `/admin`. */
export const adminContract = {
  about,
  metrics,
  alerts,
  audit,
  teams,
  overview,
  domains,
  keys,
  limits,
  lists,
  properties,
  suppressions,
  waves,
  people,
  contacts,
  sends,
  tracking,
  transactionalEmails,
  themes,
  components,
  uploads,
  events,
  eventPatterns,
  revisions,
  webhooks,
  confirmations,
  audience,
  imports,
  campaigns,
  workflows: control,
  insight,
  statistics,
} as const satisfies Contract;

export type AdminContract = typeof adminContract;
