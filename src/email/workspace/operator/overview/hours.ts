import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/util/dates.ts";
import type { Context } from "../../core/context.ts";
import { keep, readKept } from "../../core/kept-counts.ts";
import { pause } from "../../core/pause.ts";

/** Longest time before now that is counted, in ms. */
export const LONGEST_MS = 7 * DAY_MS;
/** Mails of one slice: a few ms. */
const SLICE = 10_000;
/** Mails that one request looks at, and the rest of an hour: about 0.2 s, in slices. */
const MOST = 500_000;
/** How far the number of a mail may be ahead of its time, in ms. */
const AHEAD_MS = MINUTE_MS;
/** The name under which the counts are kept. */
const NAME = "sends by hour";

/** Mails by their state. `at`: when they were counted, in Unix ms. */
type Hour = { at: number; states: Record<string, number> };
/** By the start of the hour, in Unix ms. */
type Hours = Record<number, Hour>;

/** New mail changes an hour until it has ended: its count is kept for a minute, if at all. Later only the states of its mails change, and slowly. */
const isFresh = ({ at }: Hour, start: number, now: number): boolean =>
  now - at < (at > start + HOUR_MS + AHEAD_MS ? HOUR_MS : MINUTE_MS);

/**
 * Mails by hour and state since the hour of `since` (Unix ms), newest hour first. Only hours whose count is too old are read: their mails
 * are next to each other, because numbers of mails go up with time. `countedSince`: the start of the oldest hour in the result.
 *
 * @param most mails after which it begins no other hour
 */
export const sendsByHour = async (
  { sql, now }: Pick<Context, "sql" | "now">,
  since: number,
  most = MOST,
): Promise<{ hours: [start: number, states: Record<string, number>][]; countedSince: number }> => {
  const kept = readKept<Hours>(sql, NAME)?.result ?? {};
  const counted: Hours = {};
  const hours: [number, Record<string, number>][] = [];
  let looked = 0;
  const hourOf = (time: number) => Math.floor(time / HOUR_MS) * HOUR_MS;
  for (let start = hourOf(now); start >= hourOf(since) && looked < most; start -= HOUR_MS) {
    const before = kept[start];
    if (before && isFresh(before, start, now)) {
      hours.push([start, before.states]);
      continue;
    }
    const found = await countHour(sql, start);
    looked += found.looked;
    // An hour that goes on and has few mails is counted for each request, so that a new mail shows at once.
    const hasEnded = now >= start + HOUR_MS + AHEAD_MS;
    if (hasEnded || found.looked > SLICE) counted[start] = { at: now, states: found.states };
    hours.push([start, found.states]);
  }
  if (Object.keys(counted).length > 0) {
    // Another request may have kept its counts meanwhile.
    const all = Object.entries({ ...readKept<Hours>(sql, NAME)?.result, ...counted });
    const needed = all.filter(([start]) => Number(start) > now - LONGEST_MS - HOUR_MS);
    keep(sql, now, NAME, Object.fromEntries(needed));
  }
  return { hours, countedSince: hours.at(-1)?.[0] ?? hourOf(now) };
};

/** Counts the mails of one hour in slices. */
const countHour = async (sql: SqlStorage, start: number) => {
  const states: Record<string, number> = {};
  const end = start + HOUR_MS;
  let looked = 0;
  let after = start * 1_000 - 1;
  for (;;) {
    const rows = sql
      .exec<{ state: string; count: number; looked: number; last: number }>(
        `SELECT state, sum(created_at >= ? AND created_at < ? AND preview = 0) AS count, count(*) AS looked, max(n) AS last
         FROM (SELECT n, state, created_at, preview FROM sends WHERE n > ? AND n < ? ORDER BY n LIMIT ${SLICE}) GROUP BY state`,
        start,
        end,
        after,
        (end + AHEAD_MS) * 1_000,
      )
      .toArray();
    const inSlice = rows.reduce((sum, row) => sum + row.looked, 0);
    for (const { state, count } of rows) if (count > 0) states[state] = (states[state] ?? 0) + count;
    looked += inSlice;
    if (inSlice < SLICE) return { states, looked };
    after = Math.max(...rows.map(({ last }) => last));
    await pause();
  }
};
