import { MINUTE_MS } from "../../lib/util/dates.ts";

export const BUCKET_MINUTES = 5;
const BUCKET_MS = BUCKET_MINUTES * MINUTE_MS;

export const COUNTED = ["accepted", "duplicate", "done", "failed", "undecided", "skipped", "replaced"] as const;
export type Counted = (typeof COUNTED)[number];

/** A source's activity. `receivedAt`: Unix ms. `times`: delivery times since acceptance, counted by `classOf`. */
export type Activity = Record<Counted, number> & { receivedAt: number | null; times: Record<string, number> };

export type ActivityRow = Activity & { bucket: number; source: string };

/** Converts Unix ms to units of five minutes. */
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

/** Adds activity, one row per source and bucket. */
export const addActivity = (sql: SqlStorage, rows: readonly ActivityRow[]): void => {
  for (const row of rows) {
    const known = activityIn(sql, row);
    sql.exec(
      `INSERT INTO activity (${NAMES}) VALUES (${PLACES})
       ON CONFLICT (bucket, source) DO UPDATE SET ${SUMS}, received_at = excluded.received_at, times = excluded.times`,
      row.bucket,
      row.source,
      ...COUNTED.map((name) => row[name]),
      known?.receivedAt == null ? row.receivedAt : Math.max(known.receivedAt, row.receivedAt ?? 0),
      JSON.stringify(known ? summed(known.times, row.times) : row.times),
    );
  }
};

/** Returns the stored activity of a source in a bucket. */
export const activityIn = (
  sql: SqlStorage,
  { bucket, source }: Pick<ActivityRow, "bucket" | "source">,
): Activity | undefined => {
  const query = `SELECT ${NAMES} FROM activity WHERE bucket = ? AND source = ?`;
  const [row] = sql.exec<Stored>(query, bucket, source).toArray();
  return row && rowOf(row);
};

const summed = (times: Activity["times"], more: Activity["times"]): Activity["times"] => {
  const sum = { ...times };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

/** Yields activity, newest first; `from` inclusive, `to` exclusive. Consume it before the next `await`. */
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

/** Returns each source's last acceptance (Unix ms) and count since a bucket. */
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

/** Deletes activity before a time (Unix ms). */
export const purgeActivity = (sql: SqlStorage, before: number, limit: number): number =>
  sql.exec(
    `DELETE FROM activity WHERE (bucket, source) IN
       (SELECT bucket, source FROM activity WHERE bucket < ? ORDER BY bucket LIMIT ?)`,
    bucketOf(before),
    limit,
  ).rowsWritten;
