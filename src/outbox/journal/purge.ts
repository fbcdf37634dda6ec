/**
 * Deletes webhooks accepted before `before` (Unix ms) that have no open call, oldest first, at most `limit`: one row each.
 *
 * @returns the `seq` of each
 */
export const purgeWebhooks = (sql: SqlStorage, before: number, limit: number): number[] =>
  sql
    .exec<{ seq: number }>(
      `DELETE FROM webhooks WHERE seq IN (SELECT seq FROM webhooks WHERE seq < ? AND open = 0 ORDER BY seq LIMIT ?)
       RETURNING seq`,
      before * 1000,
      limit,
    )
    .toArray()
    .map(({ seq }) => seq);

/** Every column but `body`. */
const KEPT = "seq, source, event_id, type, occurred_at, rank, test, secret_paths, outcomes, calls, open";

/**
 * Empties the bodies of the webhooks after `after` up to `to` that have no open call; calls and event ids stay. Three rows
 * each: every row is deleted and inserted again, because SQLite gives a page back only when a deletion empties it. An UPDATE
 * would leave the page of each small body half empty, and free nothing.
 *
 * @returns how many webhooks were rewritten
 */
export const purgeBodies = (sql: SqlStorage, after: number, to: number): number => {
  const rows = [
    ...sql.exec(`DELETE FROM webhooks WHERE seq > ? AND seq <= ? AND open = 0 RETURNING ${KEPT}`, after, to).raw(),
  ];
  const values = KEPT.replaceAll(/\w+/g, "?");
  for (const row of rows) sql.exec(`INSERT INTO webhooks (${KEPT}, body) VALUES (${values}, '')`, ...row);
  return rows.length;
};

type BodySize = { seq: number; bytes: number };

/**
 * The end of the next slice of webhooks after `after`: `limit` webhooks, or fewer with this many bytes of bodies.
 *
 * @returns the last `seq` of the slice; undefined where there are fewer webhooks
 */
export const nextSlice = (sql: SqlStorage, after: number, limit: number, bytes: number): number | undefined => {
  const rows = sql.exec<BodySize>(
    "SELECT seq, octet_length(body) AS bytes FROM webhooks WHERE seq > ? ORDER BY seq LIMIT ?",
    after,
    limit,
  );
  let count = 0;
  let sum = 0;
  for (const row of rows) {
    sum += row.bytes;
    if (sum >= bytes || ++count >= limit) return row.seq;
  }
  return undefined;
};

/** The sizes of the newest bodies before `before` (exclusive), newest first, at most `limit`. */
export const newestBodies = (sql: SqlStorage, before: number, limit: number): BodySize[] =>
  sql
    .exec<BodySize>(
      "SELECT seq, octet_length(body) AS bytes FROM webhooks WHERE seq < ? ORDER BY seq DESC LIMIT ?",
      before,
      limit,
    )
    .toArray();
