import { DAY_MS, isoOf, MINUTE_MS } from "../../../../lib/util/dates.ts";
import { createPause } from "../../core/between-slices.ts";
import type { Context } from "../../core/context.ts";
import { keepInRoom, readKept } from "../../core/kept-counts.ts";

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
const isFresh = ({ at }: Day, start: number, now: number): boolean => hasEnded(start, at) || now - at < MINUTE_MS;
const hasEnded = (start: number, now: number): boolean => now >= start + DAY_MS + AHEAD_MS;

/**
 * Counts accepted mails by UTC day and class, newest first, with kept counts. `since`: start of the oldest day, Unix
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
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const counted: Days = {};
  const days: ({ day: string } & Mails)[] = [];
  const pause = createPause();
  let looked = 0;
  let since = today;
  for (let start = today; start > today - DAYS * DAY_MS && looked < most; start -= DAY_MS) {
    since = start;
    let day = kept[start];
    if (!day || !isFresh(day, start, now)) {
      const found = await countDay(sql, start, pause);
      looked += found.looked;
      day = { ...found.mails, at: now };
      if (hasEnded(start, now) || found.looked > SLICE) counted[start] = day;
    }
    const { transactional, marketing } = day;
    if (transactional + marketing > 0) days.push({ day: isoOf(start).slice(0, 10), transactional, marketing });
  }
  if (Object.keys(counted).length > 0) {
    const all = Object.entries({ ...readKept<Days>(sql, NAME)?.result, ...counted });
    keepInRoom(context, NAME, Object.fromEntries(all.filter(([start]) => Number(start) > today - DAYS * DAY_MS)));
  }
  return { days, since };
};

/** Mail numbers increase with time, so one day is contiguous. */
const countDay = async (sql: SqlStorage, start: number, pause: () => Promise<void>) => {
  const mails: Mails = { transactional: 0, marketing: 0 };
  const end = start + DAY_MS;
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
