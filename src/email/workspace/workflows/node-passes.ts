import { DAY_MS, HOUR_MS } from "../../../lib/util/dates.ts";
import type { Step } from "../../policy/workflows/run/types.ts";

/** Departures by "k k" (node, next node) or "k reason" (node, end). */
export type Passed = Map<string, number>;

const HOURS = DAY_MS / HOUR_MS;

/** Counts a step from node `from` (`k`). A run leaves its end node. */
export const countStep = (passed: Passed, from: number, { visits, position }: Omit<Step, "mails">): void => {
  const add = (key: string) => void passed.set(key, (passed.get(key) ?? 0) + 1);
  let at = from;
  for (const [k] of visits) {
    add(`${at} ${k}`);
    at = k;
  }
  if ("ended" in position) add(`${position.node} ${position.ended}`);
};

type Row = { hour: number; counts: string };
type Counts = Record<string, number>;

const sum = (into: Counts, counts: Counts): Counts => {
  for (const [key, count] of Object.entries(counts)) into[key] = (into[key] ?? 0) + count;
  return into;
};

/** Adds one row per slice. Rows older than a day are merged hourly. */
export const savePassed = (sql: SqlStorage, workflow: number, passed: Passed, now: number): void => {
  if (passed.size === 0) return;
  const hour = Math.floor(now / HOUR_MS);
  const rows = sql
    .exec<Row>("SELECT hour, counts FROM workflow_passed WHERE workflow = ? AND hour = ?", workflow, hour)
    .toArray();
  const counts = sum(rows[0] ? JSON.parse(rows[0].counts) : {}, Object.fromEntries(passed));
  write(sql, workflow, hour, counts);
  if (rows.length === 0) mergeOld(sql, workflow, hour - HOURS);
};

const write = (sql: SqlStorage, workflow: number, hour: number, counts: Counts): void => {
  sql.exec(
    `INSERT INTO workflow_passed (workflow, hour, counts) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET counts = excluded.counts`,
    workflow,
    hour,
    JSON.stringify(counts),
  );
};

const mergeOld = (sql: SqlStorage, workflow: number, before: number): void => {
  const old = sql
    .exec<Row>("SELECT hour, counts FROM workflow_passed WHERE workflow = ? AND hour < ?", workflow, before)
    .toArray();
  if (!old.some(({ hour }) => hour > 0)) return;
  write(
    sql,
    workflow,
    0,
    old.reduce((all, { counts }) => sum(all, JSON.parse(counts)), {} as Counts),
  );
  sql.exec("DELETE FROM workflow_passed WHERE workflow = ? AND hour > 0 AND hour < ?", workflow, before);
};

/** Departures to the next node by `k`, and ends by reason. */
export type Ways = { on: ReadonlyMap<number, number>; out: Readonly<Counts> };

const NO_WAYS: Ways = { on: new Map(), out: {} };

const byNode = (counts: Counts): ((k: number) => Ways) => {
  type Open = { on: Map<number, number>; out: Counts };
  const ways = new Map<number, Open>();
  for (const [key, count] of Object.entries(counts)) {
    const [from, to = ""] = key.split(" ");
    const open: Open = ways.get(Number(from)) ?? { on: new Map(), out: {} };
    ways.set(Number(from), open);
    if (/^\d/.test(to)) open.on.set(Number(to), count);
    else open.out[to] = count;
  }
  return (k) => ways.get(k) ?? NO_WAYS;
};

export const wentOn = ({ on }: Ways): number => [...on.values()].reduce((total, count) => total + count, 0);

/** Returns departures. `lastDay`: the last 24 whole hours. `since`: Unix ms of the first count; null if complete. */
export const passedIn = (
  sql: SqlStorage,
  workflow: number,
  now: number,
): { ever: (k: number) => Ways; lastDay: (k: number) => Ways; since: number | null } => {
  const first = Math.floor(now / HOUR_MS) - HOURS + 1;
  const rows = sql
    .exec<Row & { since: number | null }>(
      "SELECT hour, counts, since FROM workflow_passed WHERE workflow = ? ORDER BY hour",
      workflow,
    )
    .toArray();
  const all = (some: readonly Row[]) =>
    byNode(some.reduce<Counts>((into, row) => sum(into, JSON.parse(row.counts)), {}));
  const since = rows[0]?.since ?? null;
  return { ever: all(rows), lastDay: all(rows.filter(({ hour }) => hour >= first)), since };
};
