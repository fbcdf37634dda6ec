import {
  type Activity,
  type ActivityRow,
  activityBetween,
  bucketOf,
  type Counted,
  receivedBySource,
  startOf,
} from "../../journal/activity-table.ts";
import { lastRefusals, type RefusedIn, refusedBetween } from "../../journal/refusals.ts";
import { addTo, noActivity, quantile } from "./activity-sums.ts";

/** A source's activity in one step. `at`: Unix ms; `p50`, `p95`: delivery time in ms. */
export type ShownActivity = Record<Counted, number> & {
  at: number;
  source: string;
  refused: number;
  p50: number | null;
  p95: number | null;
};

/** Last acceptance and refusal (Unix ms), and counts of 24 hours. */
export type SourceFacts = {
  lastReceived: number | null;
  lastRefused: { at: number; code: string } | null;
  received24h: number;
  refused24h: number;
};

/** `since`, `until`: Unix ms. `step`: buckets. `limit`: rows, always whole steps. */
export type ActivityQuery = { since: number; until: number; step: number; source?: string; limit: number };

export const DAY_OF_BUCKETS = 288;

/** Sums activity and refusals by step and source. */
export const listActivity = (
  sql: SqlStorage,
  { since, until, step, source, limit }: ActivityQuery,
): { activity: ShownActivity[]; next?: number } => {
  const from = Math.floor(bucketOf(since) / step) * step;
  const to = bucketOf(until - 1) + 1;
  const sums = new Map<string, Activity & { at: number; source: string; refused: number }>();
  /** Earlier steps go to the next page. */
  let first = from;
  const sumAt = (bucket: number, of: string) => {
    const at = Math.floor(bucket / step) * step;
    const key = JSON.stringify([at, of]);
    const sum = sums.get(key) ?? { ...noActivity(), at, source: of, refused: 0 };
    sums.set(key, sum);
    return sum;
  };
  const add = (rows: Iterable<ActivityRow>): void => {
    for (const row of rows) addTo(sumAt(row.bucket, row.source), row);
  };
  const refused = (rows: Iterable<RefusedIn>): void => {
    for (const row of rows) sumAt(row.bucket, row.source).refused += row.count;
  };
  for (let end = to; end > from; end = first) {
    first = Math.max(from, Math.floor((end - 1) / DAY_OF_BUCKETS) * DAY_OF_BUCKETS);
    add(activityBetween(sql, { from: first, to: end, source }));
    refused(refusedBetween(sql, { from: first, to: end, source }));
    if (sums.size > limit) break;
  }
  const rows = [...sums.values()]
    .filter(({ at }) => at >= first)
    .sort((a, b) => b.at - a.at || (a.source < b.source ? -1 : 1));
  const cut = rows[limit]?.at;
  const shown = rows.filter(({ at }) => cut === undefined || at > cut);
  const reached = cut === undefined ? first : cut + step;
  return {
    activity: shown.map(({ at, times, receivedAt: _, ...rest }) => ({
      ...rest,
      at: startOf(at),
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
    })),
    ...(reached > from ? { next: startOf(reached) } : {}),
  };
};

export const factsOf = (sql: SqlStorage, since: number): Record<string, SourceFacts> => {
  const facts: Record<string, SourceFacts> = Object.create(null);
  const of = (source: string): SourceFacts => {
    facts[source] ??= { lastReceived: null, lastRefused: null, received24h: 0, refused24h: 0 };
    return facts[source];
  };
  const received = (source: string, at: number | null, count: number): void => {
    const one = of(source);
    if (at !== null) one.lastReceived = Math.max(one.lastReceived ?? 0, at);
    one.received24h += count;
  };
  for (const { source, at, count } of receivedBySource(sql, since)) received(source, at, count);
  for (const { source, at, code, count } of lastRefusals(sql, startOf(since))) {
    Object.assign(of(source), { lastRefused: { at, code }, refused24h: count });
  }
  return { ...facts };
};
