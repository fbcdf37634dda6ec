import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { FileOperations } from "../../types/files.ts";
import { recipientsFile } from "../campaigns/list-recipients.ts";
import { mailAgain } from "../campaigns/retry-unknown.ts";
import { lists } from "../contacts/list-admin.ts";
import { revisions } from "../content/revisions.ts";
import { addSamples } from "../content/samples.ts";
import type { Act, AdminHandlers, Read } from "../core/handler.ts";
import { domains } from "../domains/handlers.ts";
import { prepareDoubleOptIn } from "../double-opt-in/confirmation.ts";
import { confirmations } from "../double-opt-in/pending.ts";
import { imports } from "../imports/admin.ts";
import { readOutcome } from "../imports/handlers.ts";
import { takeUpload } from "../imports/upload.ts";
import { limits } from "../limits/handlers.ts";
import { campaigns, statistics } from "../operator/campaigns/operations.ts";
import { components, themes, uploads } from "../operator/content/handlers.ts";
import { eventPatterns, events } from "../operator/overview/events.ts";
import { overview } from "../operator/overview/overview.ts";
import { showTeamUsage } from "../operator/overview/usage.ts";
import { contacts } from "../operator/people/contacts.ts";
import { properties } from "../operator/people/properties.ts";
import { suppressions, suppressionsFile } from "../operator/people/suppressions.ts";
import { waves } from "../operator/waves/handlers.ts";
import { insight, workflows } from "../operator/workflows/operations.ts";
import { audience } from "../segments/segment-admin.ts";
import { retrySend, sends } from "../sends/send-handlers.ts";
import { transactionalEmails } from "../sends/template-counts.ts";
import { keys } from "../team/known-keys.ts";
import { readTeam, settingsOf, updateTeam } from "../team/team.ts";
import { tracking } from "../tracking/tracking.ts";
import { webhooks } from "../webhooks/endpoint-handlers.ts";
import { replayWebhook } from "../webhooks/replay.ts";
import { people } from "./erase.ts";

const teams: Omit<AdminHandlers<"teams">, "create"> = {
  get: ({ sql }) => ({ body: settingsOf(sql) }),
  update: (context, input) => {
    const refusal = input.doubleOptIn ? prepareDoubleOptIn(context) : undefined;
    return refusal ? { refusal } : updateTeam(context, input);
  },
  addSamples: (context, { company = readTeam(context.sql).name, website }) => ({
    body: { success: true, ...addSamples(context, { company, website }) },
  }),
  usage: showTeamUsage,
};

type AllHandlers = {
  readonly [Group in keyof AdminContract as keyof AdminHandlers<Group> extends never ? never : Group]: Omit<
    AdminHandlers<Group>,
    Group extends "teams" ? "create" : never
  >;
};

/** Handlers of the admin API, without `teams.create`: its team has no tables yet. */
export const adminHandlers = {
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
  sends: { ...sends, retry: (context, input) => retrySend(context, input, mailAgain) },
  tracking,
  transactionalEmails,
  themes,
  components,
  uploads,
  events,
  eventPatterns,
  revisions,
  webhooks: { ...webhooks, replay: replayWebhook },
  confirmations,
  audience,
  imports,
  campaigns,
  workflows,
  insight,
  statistics,
} satisfies AllHandlers;

/** Pieces of files. */
export const fileReads: { [Name in Exclude<keyof FileOperations, "imports.upload">]: Read<FileOperations[Name]> } = {
  "imports.outcomeFile": readOutcome,
  "suppressions.file": suppressionsFile,
  "campaigns.recipientsFile": recipientsFile,
};

export const fileActs: { "imports.upload": Act<FileOperations["imports.upload"]> } = { "imports.upload": takeUpload };
