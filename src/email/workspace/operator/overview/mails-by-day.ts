import { DAY_MS, instantOfWall, isoOf, MINUTE_MS, wallTimeAt } from "../../../../lib/util/dates.ts";
import { createPause } from "../../core/between-slices.ts";
import type { Context } from "../../core/context.ts";
import { keepInRoom, readKept } from "../../core/kept-counts.ts";
import { timeZoneOf } from "../../team/team.ts";

/** The retention of settled mails, in days, including today. */
const DAYS = 30;
const SLICE = 10_000;
const MOST = 500_000;
const AHEAD_MS = MINUTE_MS;
const NAME = "mails by day";

type Mails = { transactional: number; marketing: number };
type Day = Mails & { at: number };
type Days = Record<number, Day>;

/** An ended day gets no more mails. The current day's count is kept at most a minute. */
const isFresh = ({ at }: Day, end: number, now: number): boolean => hasEnded(end, at) || now - at < MINUTE_MS;
const hasEnded = (end: number, now: number): boolean => now >= end + AHEAD_MS;

/**
 * Counts accepted mails by class and day of the team's time zone, newest first, with kept counts. `since`: start of the oldest day, Unix
 * ms.
 *
 * @param most mails after which no other day begins
 */
export const mailsByDay = async (
  context: Pick<Context, "sql" | "now" | "maxBytes" | "noRoom">,
  most = MOST,
): Promise<{ days: ({ day: string } & Mails)[]; since: number }> => {
  const { sql, now } = context;
  const kept = readKept<Days>(sql, NAME)?.result ?? {};
  const zone = timeZoneOf(sql);
  const today = Math.floor(wallTimeAt(now, zone) / DAY_MS) * DAY_MS;
  const startOf = (wall: number) => instantOfWall(wall, zone);
  const counted: Days = {};
  const days: ({ day: string } & Mails)[] = [];
  const pause = createPause();
  let looked = 0;
  let since = startOf(today);
  for (let wall = today; wall > today - DAYS * DAY_MS && looked < most; wall -= DAY_MS) {
    const [start, end] = [startOf(wall), startOf(wall + DAY_MS)];
    since = start;
    let day = kept[start];
    if (!day || !isFresh(day, end, now)) {
      const found = await countDay(sql, start, end, pause);
      looked += found.looked;
      day = { ...found.mails, at: now };
      if (hasEnded(end, now) || found.looked > SLICE) counted[start] = day;
    }
    const { transactional, marketing } = day;
    if (transactional + marketing > 0) days.push({ day: isoOf(wall).slice(0, 10), transactional, marketing });
  }
  if (Object.keys(counted).length > 0) {
    const all = Object.entries({ ...readKept<Days>(sql, NAME)?.result, ...counted });
    keepInRoom(context, NAME, Object.fromEntries(all.filter(([start]) => Number(start) > now - (DAYS + 1) * DAY_MS)));
  }
  return { days, since };
};

/** Mail numbers increase with time, so one day is contiguous. */
const countDay = async (sql: SqlStorage, start: number, end: number, pause: () => Promise<void>) => {
  const mails: Mails = { transactional: 0, marketing: 0 };
  let looked = 0;
  let after = start * 1_000 - 1;
  for (;;) {
    const rows = sql
      .exec<{ class: keyof Mails; count: number; looked: number; last: number }>(
        `SELECT class, sum(created_at >= ? AND created_at < ? AND preview = 0) AS count, count(*) AS looked, max(n) AS last
         FROM (SELECT n, class, created_at, preview FROM sends WHERE n > ? AND n < ? ORDER BY n LIMIT ${SLICE}) GROUP BY class`,
        start,
        end,
        after,
        (end + AHEAD_MS) * 1_000,
      )
      .toArray();
    const inSlice = rows.reduce((sum, row) => sum + row.looked, 0);
    for (const row of rows) mails[row.class] += row.count;
    looked += inSlice;
    if (inSlice < SLICE) return { mails, looked };
    after = Math.max(...rows.map(({ last }) => last));
    await pause();
  }
};
