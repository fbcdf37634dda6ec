/** Deletes the oldest webhooks before `before` (Unix ms) without open deliveries. */
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

const KEPT = "seq, source, event_id, type, occurred_at, rank, test, secret_paths, outcomes, deliveries, open";

/** Empties bodies of settled webhooks; three rows each. Rows are inserted again, because an UPDATE frees no pages. */
export const purgeBodies = (sql: SqlStorage, after: number, to: number): number => {
  const rows = [
    ...sql.exec(`DELETE FROM webhooks WHERE seq > ? AND seq <= ? AND open = 0 RETURNING ${KEPT}`, after, to).raw(),
  ];
  const values = KEPT.replaceAll(/\w+/g, "?");
  for (const row of rows) sql.exec(`INSERT INTO webhooks (${KEPT}, body) VALUES (${values}, '')`, ...row);
  return rows.length;
};

type BodySize = { seq: number; bytes: number };

/** Finds the last `seq` of the next slice; undefined if fewer webhooks remain. */
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

/** Lists body sizes, newest first; `before` is exclusive. */
export const newestBodies = (sql: SqlStorage, before: number, limit: number): BodySize[] =>
  sql
    .exec<BodySize>(
      "SELECT seq, octet_length(body) AS bytes FROM webhooks WHERE seq < ? ORDER BY seq DESC LIMIT ?",
      before,
      limit,
    )
    .toArray();
