import type { Refusal } from "../../../lib/contract/errors.ts";
import type { AdminInput, AdminOperation, AdminReply, AdminRequest, ReadOperation } from "../../types/workspace.ts";
import type { Context } from "../base/context.ts";
import { listRecipients, recipientsFile } from "../campaigns/recipients.ts";
import { showLinks, showResults } from "../campaigns/statistics.ts";
import { countLists } from "../contacts/list-counts.ts";
import { explainRecipient } from "../insight/campaign.ts";
import { diffWorkflow } from "../insight/diff.ts";
import { dryRun } from "../insight/dry-run.ts";
import { explainContact } from "../insight/explain.ts";
import { listHere, listVersions } from "../insight/here.ts";
import { simulate } from "../insight/simulate.ts";
import { showStatus } from "../launch/status.ts";
import { countTemplates } from "../ledger/template-counts.ts";
import { componentUsage, themeUsage } from "../overview/content-uses.ts";
import { eventUsage, listEvents } from "../overview/events.ts";
import { showOverview } from "../overview/overview.ts";
import { listUploads, uploadUsage } from "../overview/pictures.ts";
import { showUsage } from "../overview/properties.ts";
import { searchEverything } from "../overview/search.ts";
import { showTeamUsage } from "../overview/usage.ts";
import { searchContacts } from "../people/search.ts";
import { showContact } from "../people/show.ts";
import { suppressionsFile } from "../people/suppressions.ts";
import { showTimeline } from "../people/timeline.ts";
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

/**
 * Answers an admin request that only reads, however long it takes: other requests are answered in between. It writes
 * nothing but one row with a count that is kept, so it needs no transaction. Undefined for any other request.
 */
export const runInsight = async (
  context: Context,
  { operation, input }: AdminRequest,
): Promise<AdminReply | undefined> => {
  if (!isInsight(operation)) return undefined;
  if (!isTeam(context.sql)) return { reply: teamNotFound(input.team), listed: undefined };
  // The table gives each operation its own input.
  const handler = handlers[operation] as (context: Context, input: AdminRequest["input"]) => Answer | Promise<Answer>;
  const outcome = await handler(context, input);
  return { reply: "refusal" in outcome ? outcome : { status: 200, body: outcome.body }, listed: listedOf(context.sql) };
};
