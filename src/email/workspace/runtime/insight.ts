import type { Refusal } from "../../../lib/contract/errors.ts";
import type { AdminInput, AdminOperation, AdminReply, AdminRequest } from "../../types/workspace.ts";
import type { Context } from "../base/context.ts";
import { diffWorkflow } from "../insight/diff.ts";
import { dryRun } from "../insight/dry-run.ts";
import { explainContact } from "../insight/explain.ts";
import { simulate } from "../insight/simulate.ts";
import { isTeam } from "../team/team.ts";
import { listedOf, teamNotFound } from "./admin.ts";

type InsightOperation = Extract<AdminOperation, `insight.${string}`>;

type Answer = { body: unknown } | { refusal: Refusal };

const handlers: {
  readonly [Name in InsightOperation]: (context: Context, input: AdminInput<Name>) => Promise<Answer>;
} = {
  "insight.diff": diffWorkflow,
  "insight.explain": explainContact,
  "insight.simulate": simulate,
  "insight.dryRun": dryRun,
};

const isInsight = (operation: AdminOperation): operation is InsightOperation => Object.hasOwn(handlers, operation);

/**
 * Answers an admin request that only reads, however long it takes: other requests are answered in between. It writes nothing, so
 * it needs no transaction. Undefined for any other request.
 */
export const runInsight = async (
  context: Context,
  { operation, input }: AdminRequest,
): Promise<AdminReply | undefined> => {
  if (!isInsight(operation)) return undefined;
  if (!isTeam(context.sql)) return { reply: teamNotFound(input.team), listed: undefined };
  // The table gives each operation its own input.
  const handler = handlers[operation] as (context: Context, input: AdminRequest["input"]) => Promise<Answer>;
  const outcome = await handler(context, input);
  return { reply: "refusal" in outcome ? outcome : { status: 200, body: outcome.body }, listed: listedOf(context.sql) };
};
