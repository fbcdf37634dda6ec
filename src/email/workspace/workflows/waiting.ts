import { addCount } from "./counts.ts";

/** SQL of the runs of a workflow that have not ended. Each rests on its node and waits there. */
const WAITING = "workflow = ? AND wake IS NOT NULL";

/** Which of the waiting runs of a workflow (`n`) are meant. */
export type Waiting = { workflow: number; sql: string; values: (string | number)[] };

export const allWaiting = (workflow: number): Waiting => ({ workflow, sql: WAITING, values: [workflow] });

/** Those that rest on one of these nodes, given by their `k`. */
export const waitingAt = (workflow: number, nodes: readonly number[]): Waiting => ({
  workflow,
  sql: `${WAITING} AND node IN (SELECT value FROM json_each(?))`,
  values: [workflow, JSON.stringify(nodes)],
});

/** Those of contacts that are not on a mailing list. */
export const waitingOffList = (workflow: number, list: string): Waiting => ({
  workflow,
  sql: `${WAITING} AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.n = runs.contact AND c.data->'$.mailingLists'->>? = 1)`,
  values: [workflow, list],
});

export const countWaiting = (sql: SqlStorage, which: Waiting): number =>
  sql.exec<{ count: number }>(`SELECT count(*) AS count FROM runs WHERE ${which.sql}`, ...which.values).one().count;

/** Ends these runs. `reason`: for the explanation of each. */
export const endWaiting = (sql: SqlStorage, which: Waiting, reason: "node_deleted" | "list_changed"): void => {
  const count = countWaiting(sql, which);
  if (count === 0) return;
  sql.exec(`UPDATE runs SET wake = NULL, event = NULL, ended = ? WHERE ${which.sql}`, reason, ...which.values);
  addCount(sql, which.workflow, "ended", reason, count);
};
