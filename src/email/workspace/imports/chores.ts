import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";

/** Retention of incomplete files, and of unstarted or paused ones, in ms. */
export const INCOMPLETE_MS = DAY_MS;
const NOT_STARTED_MS = 7 * DAY_MS;

const BATCHES = 50;

/** Unix ms. */
const GIVEN_UP = `CASE state WHEN 'uploading' THEN created_at + ${INCOMPLETE_MS}
  WHEN 'ready' THEN coalesce(finished_at, created_at) + ${NOT_STARTED_MS}
  WHEN 'running' THEN CAST(settings->>'pausedAt' AS INTEGER) + ${NOT_STARTED_MS} END`;

/** Small rows: a slice takes some ms. */
const SEEN = 10_000;

/** Deletes identifiers of dry runs that are done or cancelled, in slices. */
export const endSeen = (sql: SqlStorage): void => {
  sql.exec(
    `DELETE FROM import_seen WHERE (import, identifier) IN (SELECT import, identifier
       FROM imports JOIN import_seen ON import = n WHERE state <> 'running' LIMIT ${SEEN})`,
  );
};

const HAS_SEEN = "state <> 'running' AND EXISTS (SELECT 1 FROM import_seen WHERE import = imports.n)";

const HAS_ROWS = "state = 'cancelled' AND EXISTS (SELECT 1 FROM import_rows WHERE import = imports.n)";

export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      firstTime(sql, `SELECT min(${GIVEN_UP}) AS at FROM imports WHERE state IN ('uploading', 'ready', 'running')`),
    run: (sql, now) => {
      sql.exec(
        `UPDATE imports SET state = 'cancelled', preview = NULL, finished_at = ?1
         WHERE state IN ('uploading', 'ready', 'running') AND ${GIVEN_UP} <= ?1`,
        now,
      );
    },
  },
  {
    next: (sql) => firstTime(sql, `SELECT min(finished_at) AS at FROM imports WHERE ${HAS_ROWS}`),
    run: (sql) => {
      sql.exec(
        `DELETE FROM import_rows WHERE (import, k) IN (SELECT import, k FROM imports JOIN import_rows ON import = imports.n
           WHERE state = 'cancelled' LIMIT ${BATCHES})`,
      );
    },
  },
  {
    next: (sql) =>
      firstTime(sql, "SELECT min(finished_at) AS at FROM imports WHERE state IN ('done', 'cancelled')") + RETENTION_MS,
    run: (sql, now) => {
      const [due] = sql
        .exec<{ n: number }>(
          "SELECT n FROM imports WHERE state IN ('done', 'cancelled') AND finished_at <= ? LIMIT 1",
          now - RETENTION_MS,
        )
        .toArray();
      if (!due) return;
      const { length } = sql
        .exec(
          `DELETE FROM import_outcomes WHERE import = ?1 AND k IN
             (SELECT k FROM import_outcomes WHERE import = ?1 ORDER BY k LIMIT ${BATCHES}) RETURNING 1`,
          due.n,
        )
        .toArray();
      if (length < BATCHES) sql.exec("DELETE FROM imports WHERE n = ?", due.n);
    },
  },
  {
    next: (sql) => firstTime(sql, `SELECT min(created_at) AS at FROM imports WHERE ${HAS_SEEN}`),
    run: endSeen,
  },
];
