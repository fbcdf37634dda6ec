import { MINUTE_MS } from "../../lib/util/dates.ts";

/** Minutes of a bucket. */
export const BUCKET_MINUTES = 5;
const BUCKET_MS = BUCKET_MINUTES * MINUTE_MS;

/** What the calls of a source came to, and how often its webhooks were accepted, or came again. */
export const COUNTED = ["accepted", "duplicate", "done", "dead", "parked", "skipped", "superseded"] as const;
export type Counted = (typeof COUNTED)[number];

/**
 * What happened at one source in some time. `receivedAt`: when the newest webhook was accepted, Unix ms. `times`: how long calls took from
 * the acceptance of their webhook until they were done, as counts by class (see `classOf`).
 */
export type Activity = Record<Counted, number> & { receivedAt: number | null; times: Record<string, number> };

/** Activity of a source in a bucket. */
export type ActivityRow = Activity & { bucket: number; source: string };

/** The bucket of a time in Unix ms: that time in units of five minutes. */
export const bucketOf = (ms: number): number => Math.floor(ms / BUCKET_MS);
export const startOf = (bucket: number): number => bucket * BUCKET_MS;

type Stored = Record<Counted, number> & { bucket: number; source: string; received_at: number | null; times: string };

const rowOf = ({ received_at, times, ...rest }: Stored): ActivityRow => ({
  ...rest,
  receivedAt: received_at,
  times: JSON.parse(times) as Activity["times"],
});

const NAMES = `bucket, source, ${COUNTED.join(", ")}, received_at, times`;
const PLACES = NAMES.replaceAll(/\w+/g, "?");
const SUMS = COUNTED.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");

/** Stores activity: one row for each source and bucket. A bucket is there already only after the clock was set back. */
export const addActivity = (sql: SqlStorage, rows: readonly ActivityRow[]): void => {
  for (const row of rows)
    sql.exec(
      `INSERT INTO activity (${NAMES}) VALUES (${PLACES})
       ON CONFLICT (bucket, source) DO UPDATE SET ${SUMS}, received_at = excluded.received_at, times = excluded.times`,
      row.bucket,
      row.source,
      ...COUNTED.map((name) => row[name]),
      row.receivedAt,
      JSON.stringify(row.times),
    );
};

/** The activity of some buckets, newest first. `from` is included, `to` is not. Consume it before the next `await`. */
export function* activityBetween(
  sql: SqlStorage,
  { from, to, source }: { from: number; to: number; source?: string | undefined },
): Generator<ActivityRow> {
  const rows = sql.exec<Stored>(
    `SELECT ${NAMES} FROM activity WHERE bucket >= ?1 AND bucket < ?2 AND (?3 IS NULL OR source = ?3) ORDER BY bucket DESC`,
    from,
    to,
    source ?? null,
  );
  for (const row of rows) yield rowOf(row);
}

/** When each source last had a webhook accepted (Unix ms), and how many since a bucket. */
export const receivedBySource = (
  sql: SqlStorage,
  since: number,
): { source: string; at: number | null; count: number }[] =>
  sql
    .exec<{ source: string; at: number | null; count: number }>(
      `SELECT source, max(received_at) AS at, sum(iif(bucket >= ?, accepted, 0)) AS count FROM activity GROUP BY source`,
      since,
    )
    .toArray();

export const newestBucket = (sql: SqlStorage): number | undefined =>
  sql.exec<{ bucket: number | null }>("SELECT max(bucket) AS bucket FROM activity").one().bucket ?? undefined;
export const oldestBucket = (sql: SqlStorage): number | undefined =>
  sql.exec<{ bucket: number | null }>("SELECT min(bucket) AS bucket FROM activity").one().bucket ?? undefined;

/** Deletes activity before a time (Unix ms), at most `limit` rows. */
export const purgeActivity = (sql: SqlStorage, before: number, limit: number): number =>
  sql.exec(
    `DELETE FROM activity WHERE (bucket, source) IN
       (SELECT bucket, source FROM activity WHERE bucket < ? ORDER BY bucket LIMIT ?)`,
    bucketOf(before),
    limit,
  ).rowsWritten;
