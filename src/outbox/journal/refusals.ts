import { MINUTE_MS } from "../../lib/util/dates.ts";
import { BUCKET_MINUTES } from "./activity-table.ts";

/** Count of refused webhooks per source, code and minute. `at`: Unix ms of the newest, if known. */
export type Refused = {
  /** Unix minutes. */
  minute: number;
  source: string;
  code: string;
  count: number;
  at?: number;
};

/** One name for all unknown sources, so that strangers cannot create rows. */
export const UNKNOWN = "(unknown)";

export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** Adds counts, one row each. */
export const addRefusals = (sql: SqlStorage, refused: readonly Refused[]): void => {
  for (const { minute, source, code, count } of refused) {
    sql.exec(
      `INSERT INTO refusals (minute, source, code, count) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (minute, source, code) DO UPDATE SET count = count + ?4`,
      minute,
      source,
      code,
      count,
    );
  }
};

/**
 * Lists refusals, newest first.
 *
 * @param since first minute; `until` is exclusive
 */
export const listRefusals = (
  sql: SqlStorage,
  { since, until, source, limit }: { since: number; until: number; source?: string; limit: number },
): { refused: Refused[]; next?: number } => {
  const refused = sql
    .exec<Refused>(
      `SELECT minute, source, code, count FROM refusals
       WHERE minute >= ?1 AND minute < ?2 AND (?3 IS NULL OR source = ?3)
       ORDER BY minute DESC, source, code LIMIT ?4`,
      since,
      until,
      source ?? null,
      limit + 1,
    )
    .toArray();
  const cut = refused.length > limit ? refused.at(-1)?.minute : undefined;
  if (cut === undefined) return { refused };
  return { refused: refused.filter(({ minute }) => minute > cut), next: cut + 1 };
};

export const countRefusals = (
  sql: SqlStorage,
  minute: number,
  codes: ReadonlySet<string>,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { source, code, count } of sql.exec<Refused>("SELECT * FROM refusals WHERE minute = ?", minute)) {
    if (codes.has(code)) counts.set(source, (counts.get(source) ?? 0) + count);
  }
  return counts;
};

export type RefusedIn = { bucket: number; source: string; count: number };

/** Yields refusals without codes; `from` inclusive, `to` exclusive. */
export const refusedBetween = (
  sql: SqlStorage,
  { from, to, source }: { from: number; to: number; source?: string | undefined },
): RefusedIn[] =>
  sql
    .exec<RefusedIn>(
      `SELECT minute / ${BUCKET_MINUTES} AS bucket, source, sum(count) AS count FROM refusals
       WHERE minute >= ?1 AND minute < ?2 AND (?3 IS NULL OR source = ?3) GROUP BY 1, 2`,
      from * BUCKET_MINUTES,
      to * BUCKET_MINUTES,
      source ?? null,
    )
    .toArray();

/** Returns each source's newest refusal, to the minute, and count. Unix ms. */
export const lastRefusals = (
  sql: SqlStorage,
  since: number,
): { source: string; code: string; at: number; count: number }[] =>
  sql
    .exec<{ source: string; code: string; minute: number; count: number }>(
      // SQLite takes the other columns from the row with the maximum.
      `SELECT source, code, max(minute) AS minute, sum(iif(minute >= ?, count, 0)) AS count FROM refusals GROUP BY source`,
      minuteOf(since),
    )
    .toArray()
    .map(({ minute, ...rest }) => ({ ...rest, at: minute * MINUTE_MS }));

/** Deletes counts before a time (Unix ms). */
export const purgeRefusals = (sql: SqlStorage, before: number, limit: number): number =>
  sql.exec(
    `DELETE FROM refusals WHERE (minute, source, code) IN
       (SELECT minute, source, code FROM refusals WHERE minute < ? ORDER BY minute LIMIT ?)`,
    minuteOf(before),
    limit,
  ).rowsWritten;

export const anyRefusal = (sql: SqlStorage): boolean => sql.exec("SELECT 1 FROM refusals LIMIT 1").toArray().length > 0;
