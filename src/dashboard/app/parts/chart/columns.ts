import { DAY_MS, HOUR_MS, instantOfWall, MINUTE_MS, timeIn, wallTimeAt } from "../../../../lib/util/dates.ts";

/** A span in Unix ms, without `until`. `step`: ms. `zone`: of columns that are longer than an hour. */
export type Span = { since: number; until: number; step: number; zone: string };

/** Counts of a column by series. `at`, `until`: Unix ms. `expected`: the sum at its end, while it runs. */
export type Column = { at: number; until: number; counts: Record<string, number>; expected?: number };

/** The bridge counts in the first two; the others are sums. */
const STEPS = [5 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS] as const;
const MAX_COLUMNS = 100;
/** The bridge keeps counts for 30 days by default. */
const LONGEST = 31 * DAY_MS;

/** Returns the begin of the column at a time, and of the `further` next one. Days with a change of clocks differ in length. */
const beginOf = (at: number, step: number, zone: string, further = 0): number =>
  step > HOUR_MS
    ? instantOfWall((Math.floor(wallTimeAt(at, zone) / step) + further) * step, zone)
    : (Math.floor(at / step) + further) * step;

/** Span of the filters, or the last 24 hours, with a readable step. Days begin at midnight in the time zone. */
export const spanOf = ({ since, until }: { since?: string; until?: string }, now: number, zone: string): Span => {
  const end = Math.min(timeIn(until, now) ?? now, now);
  const start = Math.max(timeIn(since, now) ?? end - DAY_MS, end - LONGEST);
  const length = Math.max(end - start, 5 * MINUTE_MS);
  const step = STEPS.find((one) => length / one <= MAX_COLUMNS) ?? DAY_MS;
  const last = beginOf(end, step, zone);
  return {
    since: beginOf(end - length, step, zone),
    until: last < end ? beginOf(end, step, zone, 1) : end,
    step,
    zone,
  };
};

/** Step in bridge requests. */
export const askedStep = ({ step }: Span): "5m" | "1h" => (step < HOUR_MS ? "5m" : "1h");

/** Sums counts into columns and ignores times outside. */
export const columnsOf = (
  rows: readonly { at: number; counts: Record<string, number> }[],
  { since, until, step, zone }: Span,
): Column[] => {
  const columns: Column[] = [];
  for (let at = since; at < until && columns.length < 2 * MAX_COLUMNS; ) {
    const next = beginOf(at, step, zone, 1);
    columns.push({ at, until: next, counts: {} });
    at = next;
  }
  for (const { at, counts } of rows) {
    const sums = columns.find((column) => at >= column.at && at < column.until)?.counts;
    if (sums) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return columns;
};

export const sumOf = (columns: readonly Column[], name: string): number =>
  columns.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);

/** Time range between two columns in any order, as filters. */
export const rangeOf = (columns: readonly Column[], one: number, other: number): { since: string; until: string } => {
  const [first, last] = [columns[Math.min(one, other)], columns[Math.max(one, other)]];
  return { since: new Date(first?.at ?? 0).toISOString(), until: new Date(last?.until ?? 0).toISOString() };
};
