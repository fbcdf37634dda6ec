import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/util/dates.ts";
import { createPause } from "../../core/between-slices.ts";
import type { Context } from "../../core/context.ts";
import { keepInRoom, readKept } from "../../core/kept-counts.ts";

export const LONGEST_MS = 7 * DAY_MS;
const SLICE = 10_000;
const MOST = 500_000;
const AHEAD_MS = MINUTE_MS;
const NAME = "sends by hour";

type Hour = { at: number; states: Record<string, number> };
type Hours = Record<number, Hour>;

/** New mail changes the current hour, so its count is kept at most a minute. Later, states change slowly. */
const isFresh = ({ at }: Hour, start: number, now: number): boolean =>
  now - at < (at > start + HOUR_MS + AHEAD_MS ? HOUR_MS : MINUTE_MS);

/**
 * Counts mails by hour and state, newest first, from `since` (Unix ms). Only outdated hours are read.
 *
 * @param most mails after which no other hour begins
 */
export const sendsByHour = async (
  context: Pick<Context, "sql" | "now" | "maxBytes" | "noRoom">,
  since: number,
  most = MOST,
): Promise<{ hours: [start: number, states: Record<string, number>][]; countedSince: number }> => {
  const { sql, now } = context;
  const kept = readKept<Hours>(sql, NAME)?.result ?? {};
  const counted: Hours = {};
  const hours: [number, Record<string, number>][] = [];
  const pause = createPause();
  let looked = 0;
  const hourOf = (time: number) => Math.floor(time / HOUR_MS) * HOUR_MS;
  for (let start = hourOf(now); start >= hourOf(since) && looked < most; start -= HOUR_MS) {
    const before = kept[start];
    if (before && isFresh(before, start, now)) {
      hours.push([start, before.states]);
      continue;
    }
    const found = await countHour(sql, start, pause);
    looked += found.looked;
    const hasEnded = now >= start + HOUR_MS + AHEAD_MS;
    if (hasEnded || found.looked > SLICE) counted[start] = { at: now, states: found.states };
    hours.push([start, found.states]);
  }
  if (Object.keys(counted).length > 0) {
    const all = Object.entries({ ...readKept<Hours>(sql, NAME)?.result, ...counted });
    const needed = all.filter(([start]) => Number(start) > now - LONGEST_MS - HOUR_MS);
    keepInRoom(context, NAME, Object.fromEntries(needed));
  }
  return { hours, countedSince: hours.at(-1)?.[0] ?? hourOf(now) };
};

const countHour = async (sql: SqlStorage, start: number, pause: () => Promise<void>) => {
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
