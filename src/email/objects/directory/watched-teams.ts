import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/util/dates.ts";
import type { Listed } from "../../types/directory-rpc.ts";

/** In ms. A team without activity for longer is touched when its alarm is due. */
const WATCHED_MS = DAY_MS;
/** The next touch of a quiet team is at least so many ms away: each writes a row. */
const QUIET_MS = 10 * MINUTE_MS;
/** Rows that one search reads. */
const SEARCHED = 5_000;

type Row = { n: number; id: string };

/** Enters a team as active, with one row an hour at most. */
export const enterActive = (sql: SqlStorage, { id, name, createdAt }: Listed, now: number): void => {
  sql.exec(
    `INSERT INTO teams (id, name, created_at, active_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, active_at = excluded.active_at
       WHERE name != excluded.name OR abs(excluded.active_at - active_at) >= ${HOUR_MS}`,
    id,
    name,
    createdAt,
    now,
  );
};

/**
 * Returns the next `limit` teams to touch after row `after`, in the order of rows: active in the last 24 hours, with a
 * due alarm, or in `others`. `next`: 0 at the end.
 */
export const teamsToTouch = (
  sql: SqlStorage,
  now: number,
  { after, limit, others }: { after: number; limit: number; others: readonly string[] },
): { teams: string[]; next: number } => {
  const found = sql
    .exec<Row>(
      `SELECT n, id FROM (SELECT * FROM teams WHERE n > ? ORDER BY n LIMIT ${SEARCHED})
       WHERE active_at > ? OR wake_at BETWEEN 1 AND ? OR id IN (SELECT value FROM json_each(?)) ORDER BY n LIMIT ?`,
      after,
      now - WATCHED_MS,
      now,
      JSON.stringify(others),
      limit,
    )
    .toArray();
  const searchedTo = sql.exec<{ n: number | null }>(
    `SELECT n FROM teams WHERE n > ? ORDER BY n LIMIT 1 OFFSET ${SEARCHED - 1}`,
    after,
  );
  const [last] = searchedTo.toArray();
  const next = found.length === limit ? (found.at(-1)?.n ?? 0) : (last?.n ?? 0);
  return { teams: found.map(({ id }) => id), next };
};

/** Keeps when a quiet team is to be touched again. A team in its last watched hour is quiet. `alarm`: Unix ms. */
export const keepAlarm = (sql: SqlStorage, team: string, alarm: number | null, now: number): void => {
  const wakeAt = alarm === null ? 0 : Math.max(alarm, now + QUIET_MS);
  sql.exec(
    `UPDATE teams SET wake_at = ?1 WHERE id = ?2 AND active_at <= ?3 AND wake_at != ?1
       AND (?1 = 0 OR wake_at <= ?4 OR wake_at > ?1)`,
    wakeAt,
    team,
    now - WATCHED_MS + HOUR_MS,
    now,
  );
};

/** Returns the most recently active teams, newest first, and how many were active in the last 24 hours. */
export const newestTeams = (sql: SqlStorage, now: number, limit: number): { teams: string[]; active: number } => {
  const { active } = sql
    .exec<{ active: number }>("SELECT count(*) AS active FROM teams WHERE active_at > ?", now - WATCHED_MS)
    .one();
  const rows = sql.exec<Row>("SELECT n, id FROM teams ORDER BY active_at DESC, n DESC LIMIT ?", limit).toArray();
  return { teams: rows.map(({ id }) => id), active };
};
