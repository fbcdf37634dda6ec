import { DAY_MS, RETENTION_MS } from "../base/schema.ts";
import { expireSends } from "../sending/sends.ts";
import { REMOVALS_WINDOW_MS } from "../sending/suppression.ts";
import { purgeableAt } from "./idempotency.ts";

/** Most rows deleted per table and run of the alarm, so that one run stays short. */
const SLICE = 500;
/** Pause between two slices of a purge that is behind, in ms. */
const SLICE_PAUSE_MS = 1_000;
/** Between two runs of the alarm, in ms: a row that cannot be handled must not make it spin. */
const MIN_PAUSE_MS = 100;
/** How often queued mail looks for a sender while none is configured, in ms. */
const NO_SENDER_MS = 3_600_000;

/** Deletes what is past its retention, and gives up on mail nothing could take, a slice of each table. */
export const purge = (sql: SqlStorage, now: number): void => {
  expireSends(sql, now, SLICE);
  sql.exec(
    `DELETE FROM idempotency WHERE (day, operation, key) IN
       (SELECT day, operation, key FROM idempotency WHERE day < ? ORDER BY day LIMIT ?)`,
    ...[Math.floor(now / DAY_MS) - 1, SLICE],
  );
  sql.exec(
    "DELETE FROM events WHERE n IN (SELECT n FROM events ORDER BY n LIMIT ?) AND at <= ?",
    ...[SLICE, now - RETENTION_MS],
  );
  sql.exec(
    "DELETE FROM sends WHERE n IN (SELECT n FROM sends WHERE due IS NULL ORDER BY n LIMIT ?) AND settled_at <= ?",
    ...[SLICE, now - RETENTION_MS],
  );
  sql.exec("DELETE FROM suppression_removals WHERE at <= ?", now - REMOVALS_WINDOW_MS);
};

/** When the alarm is next needed, in Unix ms: the earliest attempt that is due, or row past its retention. */
export const nextWake = (sql: SqlStorage, now: number, hasSender: boolean): number => {
  const first = (query: string) => sql.exec<{ at: number | null }>(query).one().at ?? Number.POSITIVE_INFINITY;
  const send = first("SELECT min(due) AS at FROM sends WHERE due IS NOT NULL");
  const day = first("SELECT min(day) AS at FROM idempotency");
  const event = first("SELECT (SELECT at FROM events ORDER BY n LIMIT 1) AS at");
  const settled = first("SELECT (SELECT settled_at FROM sends WHERE due IS NULL ORDER BY n LIMIT 1) AS at");
  const removal = first("SELECT min(at) AS at FROM suppression_removals");
  const purge = Math.min(
    ...[purgeableAt(day), event + RETENTION_MS, settled + RETENTION_MS, removal + REMOVALS_WINDOW_MS],
  );
  return Math.min(
    hasSender || send === Number.POSITIVE_INFINITY ? Math.max(send, now + MIN_PAUSE_MS) : now + NO_SENDER_MS,
    Math.max(purge, now + SLICE_PAUSE_MS),
  );
};
