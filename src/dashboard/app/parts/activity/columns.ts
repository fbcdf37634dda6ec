import { DAY_MS, HOUR_MS, MINUTE_MS, timeIn } from "../../../../lib/util/dates.ts";

/** A time from `since` to `until` (Unix ms, `until` not included), in steps of `step` ms. */
export type Span = { since: number; until: number; step: number };

/** What happened in a column: how many of each series. `at`, `until`: Unix ms. */
export type Column = { at: number; until: number; counts: Record<string, number> };

/** Steps that a column may have. The bridge counts in the first and the second; the others are sums of these. */
const STEPS = [5 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS] as const;
const MAX_COLUMNS = 100;
/** The bridge keeps counts for 30 days unless it is set otherwise. */
const LONGEST = 31 * DAY_MS;

/** The time that a histogram shows: that of the filters, else the last 24 hours. Its steps are few enough to be seen. */
export const spanOf = ({ since, until }: { since?: string; until?: string }, now: number): Span => {
  const end = Math.min(timeIn(until, now) ?? now, now);
  const start = Math.max(timeIn(since, now) ?? end - DAY_MS, end - LONGEST);
  const length = Math.max(end - start, 5 * MINUTE_MS);
  const step = STEPS.find((one) => length / one <= MAX_COLUMNS) ?? DAY_MS;
  return { since: Math.floor((end - length) / step) * step, until: Math.ceil(end / step) * step, step };
};

/** The step that the bridge is asked for. */
export const askedStep = ({ step }: Span): "5m" | "1h" => (step < HOUR_MS ? "5m" : "1h");

/** Sums counts into the columns of a span. Times outside of it are left out. */
export const columnsOf = (
  rows: readonly { at: number; counts: Record<string, number> }[],
  { since, until, step }: Span,
): Column[] => {
  const columns: Column[] = [];
  for (let at = since; at < until; at += step) columns.push({ at, until: at + step, counts: {} });
  for (const { at, counts } of rows) {
    const sums = columns[Math.floor((at - since) / step)]?.counts;
    if (sums) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return columns;
};

export const sumOf = (columns: readonly Column[], name: string): number =>
  columns.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);

/** The time from one column to another, in the order of time, as filters. */
export const rangeOf = (columns: readonly Column[], one: number, other: number): { since: string; until: string } => {
  const [first, last] = [columns[Math.min(one, other)], columns[Math.max(one, other)]];
  return { since: new Date(first?.at ?? 0).toISOString(), until: new Date(last?.until ?? 0).toISOString() };
};
