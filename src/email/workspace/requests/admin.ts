import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Names } from "../../../lib/names/finder.ts";
import type { Listed } from "../../types/directory.ts";
import type { AdminInput, AdminOperation, AdminReply, AdminRequest, ReadOperation } from "../../types/workspace.ts";
import { mailAgain } from "../campaigns/again.ts";
import { createList, updateList } from "../contacts/list-admin.ts";
import { readMailingLists } from "../contacts/lists.ts";
import { listRevisions, restoreRevision, showRevision } from "../content/revisions.ts";
import { addSamples } from "../content/samples.ts";
import { removeUpload } from "../content/uploads.ts";
import type { Context } from "../core/context.ts";
import {
  createDomain,
  getDomain,
  listDomains,
  removeDomain,
  rotateKey,
  updateDomain,
  zoneOfDomain,
} from "../domains/handlers.ts";
import { prepareDoubleOptIn, sendConfirmation } from "../double-opt-in/confirmation.ts";
import { listPending } from "../double-opt-in/pending.ts";
import * as imports from "../imports/handlers.ts";
import { addRows, beginUpload, completeUpload } from "../imports/parts.ts";
import { previewRows } from "../imports/preview.ts";
import { takeUpload } from "../imports/upload.ts";
import { listLimits } from "../limits/handlers.ts";
import { duplicate } from "../operator/campaigns/duplicate.ts";
import * as campaigns from "../operator/campaigns/handlers.ts";
import { launch } from "../operator/campaigns/launch.ts";
import { remove as removeCampaign } from "../operator/campaigns/remove.ts";
import { removeComponent, removeTheme } from "../operator/content/removal.ts";
import { changeContacts } from "../operator/people/bulk.ts";
import { deleteProperty, updateProperty } from "../operator/people/properties.ts";
import { listSuppressions, removeSuppression } from "../operator/people/suppressions.ts";
import { estimateAudience } from "../segments/estimate.ts";
import { deleteSegment, showSegmentUsage, updateSegment } from "../segments/segment-admin.ts";
import { suppress } from "../sending/suppression.ts";
import { showContent } from "../sends/content.ts";
import { searchSends } from "../sends/search.ts";
import { retrySend, showSend } from "../sends/show.ts";
import { createKey, listKeys, revokeKey } from "../team/known-keys.ts";
import { createTeam, isTeam, readTeam, settingsOf, updateTeam } from "../team/team.ts";
import { engagementOfMessage, getTracking, setTracking } from "../tracking/tracking.ts";
import {
  createWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  testWebhook,
  updateWebhook,
} from "../webhooks/admin.ts";
import { replayWebhook } from "../webhooks/replay.ts";
import { list, pause, remove, resume, start, status, stop } from "../workflows/runs/handlers.ts";
import { forgetPerson } from "./forget.ts";

type Answer = { status?: 201; body: unknown; names?: Names } | { refusal: Refusal };
type AdminHandlers = {
  readonly [Name in Exclude<AdminOperation, "teams.create" | ReadOperation>]: (
    context: Context,
    input: AdminInput<Name>,
  ) => Answer;
};

const handlers: AdminHandlers = {
  "teams.get": ({ sql }) => ({ body: settingsOf(sql) }),
  "teams.update": (context, input) => {
    const refusal = input.doubleOptIn ? prepareDoubleOptIn(context) : undefined;
    return refusal ? { refusal } : updateTeam(context, input);
  },
  "teams.addSamples": (context, { company = readTeam(context.sql).name, website }) => ({
    body: { success: true, ...addSamples(context, { company, website }) },
  }),
  "domains.list": listDomains,
  "domains.create": createDomain,
  "domains.get": getDomain,
  "domains.update": updateDomain,
  "domains.remove": removeDomain,
  "domains.check": getDomain,
  "domains.zone": zoneOfDomain,
  "domains.rotate": rotateKey,
  "keys.list": listKeys,
  "keys.create": createKey,
  "keys.revoke": revokeKey,
  "limits.list": listLimits,
  "lists.list": ({ sql }) => ({ body: { data: readMailingLists(sql) } }),
  "lists.create": createList,
  "lists.update": updateList,
  "properties.update": updateProperty,
  "properties.remove": deleteProperty,
  "suppressions.list": listSuppressions,
  "suppressions.remove": removeSuppression,
  "suppressions.add": (context, { email }) => {
    suppress(context, email, "manual");
    return { body: { success: true } };
  },
  "contacts.bulk": changeContacts,
  "people.forget": forgetPerson,
  "sends.list": searchSends,
  "sends.get": showSend,
  "sends.content": showContent,
  "sends.retry": (context, input) => retrySend(context, input, mailAgain),
  "tracking.get": getTracking,
  "tracking.set": setTracking,
  "tracking.message": engagementOfMessage,
  "uploads.remove": removeUpload,
  "themes.remove": removeTheme,
  "components.remove": removeComponent,
  "revisions.list": listRevisions,
  "revisions.get": showRevision,
  "revisions.restore": restoreRevision,
  "audience.updateSegment": updateSegment,
  "audience.usage": showSegmentUsage,
  "audience.removeSegment": deleteSegment,
  "audience.estimate": estimateAudience,
  "imports.upload": takeUpload,
  "imports.begin": beginUpload,
  "imports.addRows": addRows,
  "imports.complete": completeUpload,
  "imports.preview": previewRows,
  "imports.list": imports.listAll,
  "imports.get": imports.getImport,
  "imports.start": imports.startImport,
  "imports.pause": imports.pauseImport,
  "imports.resume": imports.resumeImport,
  "imports.cancel": imports.cancelImport,
  "imports.outcome": imports.readOutcome,
  "webhooks.list": listWebhooks,
  "webhooks.create": createWebhook,
  "webhooks.get": getWebhook,
  "webhooks.update": updateWebhook,
  "webhooks.remove": removeWebhook,
  "webhooks.replay": replayWebhook,
  "webhooks.test": testWebhook,
  "campaigns.list": campaigns.list,
  "campaigns.duplicate": duplicate,
  "campaigns.remove": removeCampaign,
  "campaigns.launch": launch,
  "campaigns.unschedule": campaigns.unschedule,
  "campaigns.pause": campaigns.pause,
  "campaigns.resume": campaigns.resume,
  "campaigns.cancel": campaigns.cancel,
  "campaigns.retryUnknown": campaigns.retry,
  "campaigns.estimate": campaigns.estimate,
  "workflows.list": list,
  "workflows.start": start,
  "workflows.resume": resume,
  "workflows.pause": pause,
  "workflows.stop": stop,
  "workflows.status": status,
  "workflows.remove": remove,
  "confirmations.list": listPending,
  "confirmations.send": sendConfirmation,
};

/** Runs an operator request in one transaction. Tables exist only after a request creates the team. */
export const runAdmin = (storage: DurableObjectStorage, context: Context, request: AdminRequest): AdminReply => {
  const answered = storage.transactionSync(() => answer(storage, context, request));
  return { ...answered, listed: isTeam(context.sql) ? listedOf(context.sql) : undefined };
};

const answer = (
  storage: DurableObjectStorage,
  context: Context,
  request: AdminRequest,
): Pick<AdminReply, "reply" | "forget"> => {
  if (request.operation === "teams.create") return { reply: createTeam(storage, context, request.input) };
  if (!isTeam(context.sql)) return { reply: teamNotFound(request.input.team) };
  const handler = handlers[request.operation as keyof AdminHandlers] as (
    context: Context,
    input: AdminRequest["input"],
  ) => Answer;
  const outcome = handler(context, request.input);
  if ("refusal" in outcome) return { reply: outcome };
  const { status = 200, body, names } = outcome;
  return { reply: { status, body }, ...(names === undefined ? {} : { forget: names }) };
};

export const teamNotFound = (team: string): { refusal: Refusal } => {
  const message = `There is no team "${team}". Create it first: POST /admin/teams.`;
  return { refusal: { code: "not_found", path: "team", message } };
};

export const listedOf = (sql: SqlStorage): Listed => {
  const { slug, name, createdAt } = readTeam(sql);
  return { id: slug, name, createdAt };
};
