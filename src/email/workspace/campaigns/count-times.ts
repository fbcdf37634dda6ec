import { bucketOf, type Times } from "../../policy/campaigns/times.ts";
import type { Chore } from "../core/chore.ts";
import { keep, readKept } from "../core/kept-counts.ts";
import { timeZoneOf } from "../team/team.ts";
import { campaignInRow, hasFinished, type StoredCampaign } from "./campaign-rows.ts";

const NAME = "times of campaigns";

/** Campaigns that began in an earlier version, which did not count those left out at the start. */
const EARLIER = "started_at IS NOT NULL AND not_selected IS NULL";

const COLUMNS = [
  { column: "sent_times", table: "message_counts", time: "sentAt" },
  { column: "opened_times", table: "message_engagement", time: "openedAt" },
  { column: "clicked_times", table: "message_engagement", time: "clickedAt" },
] as const;

type Column = (typeof COLUMNS)[number]["column"];
type Counts = Record<Column, Record<string, number>>;

/**
 * Campaigns up to `upTo` (n) remain; all at first, and 0 at the end. `contact`: the last counted one (n). `before`: later
 * times are counted as they come, Unix ms.
 */
type Work = { upTo: number; begun?: { contact: number; before: number; counts: Counts } };

type Row = { contact: number } & Record<(typeof COLUMNS)[number]["time"], number | null>;

const newest = (sql: SqlStorage, upTo: number): StoredCampaign | undefined => {
  const { n } = sql
    .exec<{ n: number | null }>(`SELECT max(n) AS n FROM campaigns WHERE n <= ? AND ${EARLIER}`, upTo)
    .one();
  return n === null ? undefined : campaignInRow(sql, n);
};

const setTimes = (sql: SqlStorage, message: number, timesOf: (column: Column, before: Times) => Times): void => {
  for (const { column, table } of COLUMNS) {
    const [row] = sql
      .exec<{ times: string | null }>(`SELECT ${column} AS times FROM ${table} WHERE message = ?`, message)
      .toArray();
    if (!row) continue;
    const times = timesOf(column, JSON.parse(row.times ?? "{}") as Times);
    sql.exec(`UPDATE ${table} SET ${column} = ? WHERE message = ?`, JSON.stringify(times), message);
  }
};

const sumOf = (one: Times, other: Times): Times =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((bucket) => [
      bucket,
      (one[bucket] ?? 0) + (other[bucket] ?? 0),
    ]),
  );

/** Counts the mails, opens and clicks of earlier campaigns over time, in slices, the newest campaign first. */
export const timesChore: Chore = {
  next: (sql) => {
    const kept = readKept<Work>(sql, NAME);
    const isDue = kept ? kept.result.upTo > 0 : hasFinished(sql);
    return isDue ? 0 : Number.POSITIVE_INFINITY;
  },
  run: (sql, now, limit) => {
    const work = readKept<Work>(sql, NAME)?.result ?? { upTo: Number.MAX_SAFE_INTEGER };
    const campaign = newest(sql, work.upTo);
    if (!campaign || campaign.startedAt === null) {
      keep(sql, now, NAME, { upTo: 0 } satisfies Work);
      return;
    }
    const { n, message, startedAt } = campaign;
    if (!work.begun) setTimes(sql, message, () => ({}));
    const counts: Counts = { sent_times: {}, opened_times: {}, clicked_times: {} };
    const begun = work.begun ?? { contact: 0, before: now, counts };
    const rows = sql
      .exec<Row>(
        `SELECT r.contact, e.sent_at AS sentAt, e.opened_at AS openedAt, e.clicked_at AS clickedAt
         FROM recipients r LEFT JOIN engagement e ON e.contact = r.contact AND e.message = ? AND e.run = 0
         WHERE r.campaign = ? AND r.contact > ? ORDER BY r.contact LIMIT ?`,
        message,
        n,
        begun.contact,
        limit,
      )
      .toArray();
    const zone = timeZoneOf(sql);
    for (const row of rows) {
      for (const { column, time } of COLUMNS) {
        const at = row[time];
        if (at === null || at >= begun.before) continue;
        const bucket = bucketOf(at, startedAt, zone);
        begun.counts[column][bucket] = (begun.counts[column][bucket] ?? 0) + 1;
      }
    }
    const last = rows.at(-1);
    if (last && rows.length === limit) {
      keep(sql, now, NAME, { upTo: n, begun: { ...begun, contact: last.contact } } satisfies Work);
      return;
    }
    setTimes(sql, message, (column, before) => sumOf(before, begun.counts[column]));
    keep(sql, now, NAME, { upTo: n - 1 } satisfies Work);
  },
};
