/**
 * Deletes webhooks accepted before `before` (Unix ms) that have no open call, at most `limit`: one row each.
 *
 * @returns how many were deleted
 */
export const purgeWebhooks = (sql: SqlStorage, before: number, limit: number): number =>
  sql.exec(
    "DELETE FROM webhooks WHERE seq IN (SELECT seq FROM webhooks WHERE seq < ? AND open = 0 ORDER BY seq LIMIT ?)",
    ...[before * 1000, limit],
  ).rowsWritten;

/**
 * Empties the bodies of the oldest webhooks after `after` that have no open call, at most `limit`: one row each. Their
 * calls stay.
 *
 * @returns the `seq` of each
 */
export const purgeBodies = (sql: SqlStorage, after: number, limit: number): number[] =>
  sql
    .exec<{ seq: number }>(
      `UPDATE webhooks SET body = '' WHERE seq IN
         (SELECT seq FROM webhooks WHERE seq > ? AND open = 0 AND body <> '' ORDER BY seq LIMIT ?) RETURNING seq`,
      ...[after, limit],
    )
    .toArray()
    .map(({ seq }) => seq);
