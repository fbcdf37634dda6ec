import { DAY_MS, HOUR_MS } from "../../../lib/util/dates.ts";
import type { Step } from "../../policy/workflows/run/types.ts";

/** Where contacts went: how many left a node, by "k k" of it and the next one, or "k reason" of it and of their end. */
export type Passed = Map<string, number>;

const HOURS = DAY_MS / HOUR_MS;

/** Adds a step of a run that rested on the node `from` (its `k`). A run that ends leaves the node where it ends. */
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

/**
 * Adds what a slice has counted: one row, however many contacts and nodes there were. Once an hour, the rows that are older than a day become
 * one.
 */
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

/** How often contacts left a node: to the next one by its `k`, and out of the workflow by the reason. */
export type Ways = { on: ReadonlyMap<number, number>; out: Readonly<Counts> };

const NO_WAYS: Ways = { on: new Map(), out: {} };

/** The counts by the `k` of the node that contacts left. */
const byNode = (counts: Counts): ((k: number) => Ways) => {
  type Open = { on: Map<number, number>; out: Counts };
  const ways = new Map<number, Open>();
  for (const [key, count] of Object.entries(counts)) {
    const [from, to = ""] = key.split(" ");
    const one: Open = ways.get(Number(from)) ?? { on: new Map(), out: {} };
    ways.set(Number(from), one);
    if (/^\d/.test(to)) one.on.set(Number(to), count);
    else one.out[to] = count;
  }
  return (k) => ways.get(k) ?? NO_WAYS;
};

/** How many went on, to whichever node. */
export const wentOn = ({ on }: Ways): number => [...on.values()].reduce((total, count) => total + count, 0);

/**
 * Where the contacts of a workflow went. `lastDay`: in the last 24 hours, by whole hours. `since`: in Unix ms, when the counts began; null
 * where all that ever moved is in them.
 */
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
