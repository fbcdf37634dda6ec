import type { Context } from "../core/context.ts";
import { addSweeps, staysIn, type Which } from "../core/sweeps.ts";
import { addCount } from "./counts.ts";

/** SQL of the runs of a workflow that have not ended, and are not going to. Each rests on its node and waits there. */
const WAITING = `workflow = ?1 AND wake IS NOT NULL AND ${staysIn("?1")}`;

export const allWaiting = (workflow: number): Which => ({ workflow, sql: WAITING, values: [workflow] });

/** Those that rest on one of these nodes, given by their `k`. */
export const waitingAt = (workflow: number, nodes: readonly number[]): Which => ({
  workflow,
  sql: `${WAITING} AND node IN (SELECT value FROM json_each(?2))`,
  values: [workflow, JSON.stringify(nodes)],
});

/** Those of contacts that are not on a mailing list. */
export const waitingOffList = (workflow: number, list: string): Which => ({
  workflow,
  sql: `${WAITING} AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.n = runs.contact AND c.data->'$.mailingLists'->>?2 = 1)`,
  values: [workflow, list],
});

export const countWaiting = (sql: SqlStorage, { sql: condition, values }: Which): number =>
  sql.exec<{ count: number }>(`SELECT count(*) AS count FROM runs WHERE ${condition}`, ...values).one().count;

/** Runs that an edit ended at a node (its `k`). */
export type EndedByEdit = [node: number, reason: "node_deleted" | "list_changed", count: number];

/** Ends these runs, and counts them at once. `reason`: for the explanation of each. */
export const endWaiting = (context: Context, which: Which, reason: EndedByEdit[1]): EndedByEdit[] => {
  const counts = addSweeps(context, which, { ended: reason });
  const ended = [...counts].map(([node, count]): EndedByEdit => [node, reason, count]);
  if (ended.length > 0) addCount(context.sql, which.workflow, "ended", reason, sumOf(ended));
  return ended;
};

const sumOf = (ended: readonly EndedByEdit[]): number => ended.reduce((sum, [, , count]) => sum + count, 0);

/** What a request says that takes waiting contacts out. */
type Asked = { dryRun: boolean; queuedContactPolicy: "fail" | "discard" };

/**
 * What becomes of runs that an edit takes out: they are counted only, where it is a dry run or they prevent the edit; or they end. Each of them is
 * looked at once, because there may be many.
 */
export const takeOut = (
  context: Context,
  which: Which | undefined,
  { dryRun, queuedContactPolicy, reason }: Asked & { reason: EndedByEdit[1] },
): { ended: EndedByEdit[]; queuedContactCount: number; stop?: "dryRun" | "queuedContactsFound" } => {
  if (!dryRun && queuedContactPolicy === "discard") {
    const ended = which ? endWaiting(context, which, reason) : [];
    return { ended, queuedContactCount: sumOf(ended) };
  }
  const queuedContactCount = which ? countWaiting(context.sql, which) : 0;
  if (dryRun) return { ended: [], queuedContactCount, stop: "dryRun" };
  return { ended: [], queuedContactCount, ...(queuedContactCount > 0 ? { stop: "queuedContactsFound" } : {}) };
};
