import type { Context } from "../core/context.ts";
import { addSweeps, staysIn, type Which } from "../core/sweeps.ts";
import { addCount } from "./counts.ts";

const WAITING = `workflow = ?1 AND wake IS NOT NULL AND ${staysIn("?1")}`;

export const allWaiting = (workflow: number): Which => ({ workflow, sql: WAITING, values: [workflow] });

export const waitingAt = (workflow: number, nodes: readonly number[]): Which => ({
  workflow,
  sql: `${WAITING} AND node IN (SELECT value FROM json_each(?2))`,
  values: [workflow, JSON.stringify(nodes)],
});

export const waitingOffList = (workflow: number, list: string): Which => ({
  workflow,
  sql: `${WAITING} AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.n = runs.contact AND c.data->'$.mailingLists'->>?2 = 1)`,
  values: [workflow, list],
});

export const countWaiting = (sql: SqlStorage, { sql: condition, values }: Which): number =>
  sql.exec<{ count: number }>(`SELECT count(*) AS count FROM runs WHERE ${condition}`, ...values).one().count;

export type EndedByEdit = [node: number, reason: "node_deleted" | "list_changed", count: number];

/** Ends and counts runs at once. `reason`: for explanations. */
const endWaiting = (context: Context, which: Which, reason: EndedByEdit[1]): EndedByEdit[] => {
  const counts = addSweeps(context, which, { ended: reason });
  const ended = [...counts].map(([node, count]): EndedByEdit => [node, reason, count]);
  if (ended.length > 0) addCount(context.sql, which.workflow, "ended", reason, sumOf(ended));
  return ended;
};

const sumOf = (ended: readonly EndedByEdit[]): number => ended.reduce((sum, [, , count]) => sum + count, 0);

type Asked = { dryRun: boolean; queuedContactPolicy: "fail" | "discard" };

/** Ends the removed runs, or only counts them in a dry run or if they prevent the edit. */
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
