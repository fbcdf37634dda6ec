import { type Context, wake } from "./context.ts";

const SIZE = 1_000;

/** `workflow`: its `n`; `sql`: a condition on `runs`. */
export type Which = { workflow: number; sql: string; values: (string | number)[] };

/** Ends the runs, or sets their timer at `node` (`k`) to `wait` ms from now. */
export type Change = { ended: "node_deleted" | "list_changed" } | { node: number; wait: number };

/** SQL that is true for runs not to be ended. `NOT IN` would be slow, because JSON values may be NULL. */
export const staysIn = (workflow: string): string =>
  `iif((contact, seq) IN (SELECT one.value->>0, one.value->>1 FROM sweeps, json_each(sweeps.runs) AS one
     WHERE sweeps.workflow = ${workflow} AND sweeps.ended IS NOT NULL), 0, 1)`;

export type AtNodes = ReadonlyMap<number, number>;

/** Changes 1 000 existing runs at once. The pump changes the rest, with one row per 1 000. */
export const addSweeps = (context: Context, which: Which, change: Change): AtNodes => {
  const { sql, now } = context;
  const counts = new Map<number, number>();
  const slices: [contact: number, seq: number][][] = [];
  const sqlStorageCursor = sql.exec<{ contact: number; seq: number; node: number }>(
    `SELECT contact, seq, node FROM runs WHERE ${which.sql}`,
    ...which.values,
  );
  for (const { contact, seq, node: at } of sqlStorageCursor) {
    const last = slices.at(-1);
    if (last && last.length < SIZE) last.push([contact, seq]);
    else slices.push([[contact, seq]]);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const { ended, node, wait } = { ended: null, node: null, wait: null, ...change };
  for (const runs of slices) {
    sql.exec(
      "INSERT INTO sweeps (workflow, ended, node, wait, at, runs) VALUES (?, ?, ?, ?, ?, ?)",
      which.workflow,
      ended,
      node,
      wait,
      now,
      JSON.stringify(runs),
    );
  }
  if (slices.length > 0) takeSweep(sql, which.workflow);
  if (slices.length > 1) wake(context, now);
  return counts;
};

export const sweeping = (sql: SqlStorage): number[] =>
  sql
    .exec<{ workflow: number }>("SELECT DISTINCT workflow FROM sweeps")
    .toArray()
    .map(({ workflow }) => workflow);

type Sweep = {
  n: number;
  workflow: number;
  ended: string | null;
  node: number | null;
  wait: number | null;
  at: number;
  runs: string;
};

export const takeSweep = (sql: SqlStorage, workflow: number): void => {
  const [next] = sql.exec<Sweep>("SELECT * FROM sweeps WHERE workflow = ? ORDER BY n LIMIT 1", workflow).toArray();
  if (!next) return;
  make(sql, next);
  sql.exec("DELETE FROM sweeps WHERE n = ?", next.n);
};

/** Applies a contact's pending changes before its runs are deleted or moved. */
export const sweepContact = (sql: SqlStorage, contact: number): void => {
  const others = "SELECT json_group_array(json(one.value)) FROM json_each(runs) AS one WHERE one.value->>0";
  const found = sql
    .exec<Sweep>(
      `SELECT n, workflow, ended, node, wait, at, (${others} = ?1) AS runs FROM sweeps
       WHERE EXISTS (SELECT 1 FROM json_each(runs) AS one WHERE one.value->>0 = ?1) ORDER BY n`,
      contact,
    )
    .toArray();
  for (const sweep of found) {
    make(sql, sweep);
    sql.exec(`UPDATE sweeps SET runs = (${others} <> ?1) WHERE n = ?2`, contact, sweep.n);
  }
};

/** SQLite seeks each run by primary key. A join would read all runs of the workflow per row. */
const OWN = `WHERE (contact, workflow, seq) IN (SELECT value->>0, ?2, value->>1 FROM json_each(?1)) AND wake IS NOT NULL`;

const make = (sql: SqlStorage, { workflow, ended, node, wait, at, runs }: Sweep): void => {
  if (ended !== null) {
    sql.exec(`UPDATE runs SET since = ?3, wake = NULL, event = NULL, ended = ?4 ${OWN}`, runs, workflow, at, ended);
    return;
  }
  // The cast rounds as `endOfTimer` does. SQLite binds a number as REAL, without rounding.
  const end = wait === 0 ? "since" : "(since + CAST(?4 AS INTEGER) + 999) / 1000 * 1000";
  sql.exec(
    `UPDATE runs SET wake = ${end} ${OWN} AND node = ?3 AND wake <> ${end}`,
    runs,
    workflow,
    node,
    ...(wait === 0 ? [] : [wait]),
  );
};
