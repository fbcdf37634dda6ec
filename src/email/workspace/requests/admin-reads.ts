import type { Refusal } from "../../../lib/contract/errors.ts";
import type { AdminInput, AdminOperation, AdminReply, AdminRequest, ReadOperation } from "../../types/workspace.ts";
import { listRecipients, recipientsFile } from "../campaigns/recipients.ts";
import { showLinks, showResults } from "../campaigns/statistics.ts";
import { countLists } from "../contacts/list-counts.ts";
import type { Context } from "../core/context.ts";
import { explainRecipient } from "../operator/campaigns/explain-recipient.ts";
import { showStatus } from "../operator/campaigns/status.ts";
import { listUploads, uploadUsage } from "../operator/content/pictures.ts";
import { componentUsage, themeUsage } from "../operator/content/uses.ts";
import { eventUsage, listEvents } from "../operator/overview/events.ts";
import { showOverview } from "../operator/overview/overview.ts";
import { searchEverything } from "../operator/overview/search.ts";
import { showTeamUsage } from "../operator/overview/usage.ts";
import { showUsage } from "../operator/people/properties.ts";
import { searchContacts } from "../operator/people/search.ts";
import { showContact } from "../operator/people/show.ts";
import { suppressionsFile } from "../operator/people/suppressions.ts";
import { showTimeline } from "../operator/people/timeline.ts";
import { diffWorkflow } from "../operator/workflows/diff.ts";
import { dryRun } from "../operator/workflows/dry-run.ts";
import { explainContact } from "../operator/workflows/explain.ts";
import { listHere, listVersions } from "../operator/workflows/here.ts";
import { simulate } from "../operator/workflows/simulate.ts";
import { countTemplates } from "../sends/template-counts.ts";
import { isTeam } from "../team/team.ts";
import { listedOf, teamNotFound } from "./admin.ts";

type Answer = { body: unknown } | { refusal: Refusal };

const handlers: {
  readonly [Name in ReadOperation]: (context: Context, input: AdminInput<Name>) => Answer | Promise<Answer>;
} = {
  "contacts.list": searchContacts,
  "contacts.get": showContact,
  "contacts.timeline": showTimeline,
  "suppressions.file": suppressionsFile,
  "insight.diff": diffWorkflow,
  "insight.explain": explainContact,
  "insight.simulate": simulate,
  "insight.dryRun": dryRun,
  "insight.here": listHere,
  "insight.versions": listVersions,
  "campaigns.status": showStatus,
  "lists.counts": countLists,
  "properties.usage": showUsage,
  "teams.usage": showTeamUsage,
  "overview.get": showOverview,
  "overview.search": searchEverything,
  "transactionalEmails.counts": countTemplates,
  "themes.usage": themeUsage,
  "components.usage": componentUsage,
  "uploads.list": listUploads,
  "uploads.usage": uploadUsage,
  "events.list": listEvents,
  "eventPatterns.usage": eventUsage,
  "statistics.results": showResults,
  "statistics.links": showLinks,
  "statistics.recipients": listRecipients,
  "statistics.contact": explainRecipient,
  "statistics.file": recipientsFile,
};

const isInsight = (operation: AdminOperation): operation is ReadOperation => Object.hasOwn(handlers, operation);

/** Answers read-only admin requests without a transaction; else undefined. It writes only kept counts. */
export const runInsight = async (
  context: Context,
  { operation, input }: AdminRequest,
): Promise<AdminReply | undefined> => {
  if (!isInsight(operation)) return undefined;
  if (!isTeam(context.sql)) return { reply: teamNotFound(input.team), listed: undefined };
  const handler = handlers[operation] as (context: Context, input: AdminRequest["input"]) => Answer | Promise<Answer>;
  const outcome = await handler(context, input);
  return { reply: "refusal" in outcome ? outcome : { status: 200, body: outcome.body }, listed: listedOf(context.sql) };
};
