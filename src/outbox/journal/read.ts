import { log } from "../../lib/util/log.ts";
import { webhookIdOf } from "../model/delivery-state.ts";
import type { Delivery, Journaled } from "../model/journal-types.ts";
import { parseDeliveries, parseRow, type Row, type WebhookDeliveries } from "./journal-rows.ts";

const WITHOUT_BODY = "seq, source, event_id, type, occurred_at, rank, test, secret_paths, deliveries";

export const readWebhook = (sql: SqlStorage, seq: number): Journaled | undefined => {
  const row = sql.exec<Row>("SELECT * FROM webhooks WHERE seq = ?", seq).toArray()[0];
  return row && parseRow(row);
};

export const readDeliveries = (sql: SqlStorage, seq: number): WebhookDeliveries | undefined => {
  const row = sql.exec<Row>(`SELECT ${WITHOUT_BODY} FROM webhooks WHERE seq = ?`, seq).toArray()[0];
  return row && parseRow(row);
};

export const findByEventId = (sql: SqlStorage, source: string, eventId: string): WebhookDeliveries | undefined => {
  const row = sql
    .exec<Row>(`SELECT ${WITHOUT_BODY} FROM webhooks WHERE source = ? AND event_id = ?`, source, eventId)
    .toArray()[0];
  return row && parseRow(row);
};

/** Finds the newest webhook with the same signed body. Its event id is the digest, a dot and an id. */
export const findByBody = (sql: SqlStorage, source: string, bodyDigest: string): WebhookDeliveries | undefined => {
  const row = sql
    .exec<Row>(
      `SELECT ${WITHOUT_BODY} FROM webhooks
       WHERE source = ?1 AND event_id >= ?2 || '.' AND event_id < ?2 || '/' ORDER BY seq DESC LIMIT 1`,
      source,
      bodyDigest,
    )
    .toArray()[0];
  return row && parseRow(row);
};

/** A scanned row. `size`: bytes of the body; `hinted`: 1 if a text was found. */
export type Scanned = Omit<Row, "body"> & { outcomes: string; size: number; hinted: number };

/** One query for all rows takes half the time. */
const HINTED = `EXISTS (SELECT 1 FROM (SELECT lower(webhooks.body) AS text LIMIT 1) AS low, json_each(?3) WHERE instr(low.text, value)) AS hinted`;

/** Scans webhooks, newest first; `before` is exclusive. Consume it before the next `await`. */
export const scanDown = (
  sql: SqlStorage,
  before: number,
  limit: number,
  texts: readonly string[] = [],
): Iterable<Scanned> =>
  sql.exec<Scanned>(
    `SELECT ${WITHOUT_BODY}, outcomes, octet_length(body) AS size, ${HINTED}
     FROM webhooks WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2`,
    before,
    limit,
    JSON.stringify(texts),
  );

/** Like `scanDown`, only webhooks that need attention. */
export const scanAttention = (
  sql: SqlStorage,
  before: number,
  limit: number,
  texts: readonly string[] = [],
): Iterable<Scanned> =>
  sql.exec<Scanned>(
    `SELECT ${WITHOUT_BODY}, outcomes, octet_length(body) AS size, ${HINTED}
     FROM webhooks INDEXED BY webhooks_attention WHERE attention > 0 AND seq < ?1 ORDER BY seq DESC LIMIT ?2`,
    before,
    limit,
    JSON.stringify(texts),
  );

/** Counts deliveries that need attention, from the index only. `limit`: webhooks, -1 for all. */
export const countAttention = (sql: SqlStorage, limit = -1): number =>
  sql
    .exec<{ n: number | null }>(
      `SELECT sum(attention) AS n FROM
         (SELECT attention FROM webhooks INDEXED BY webhooks_attention WHERE attention > 0 LIMIT ?)`,
      limit,
    )
    .one().n ?? 0;

/** Like `scanDown`, oldest first; `after` is exclusive. */
export const scanUp = (sql: SqlStorage, after: number, limit: number): Iterable<Omit<Scanned, "hinted">> =>
  sql.exec<Omit<Scanned, "hinted">>(
    `SELECT ${WITHOUT_BODY}, outcomes, octet_length(body) AS size FROM webhooks WHERE seq > ? ORDER BY seq LIMIT ?`,
    after,
    limit,
  );

/** Parses a scanned row, without body. */
export const parseScanned = (scanned: Omit<Scanned, "hinted">): Journaled => parseRow(scanned);

/** Returns a webhook's body; empty if purged. */
export const readBody = (sql: SqlStorage, seq: number): string =>
  sql.exec<{ body: string }>("SELECT body FROM webhooks WHERE seq = ?", seq).toArray()[0]?.body ?? "";

/** A slice of the webhooks with open deliveries, `after` exclusive, `to` inclusive. */
export type OpenSlice = { after: number; to: number };

/** Lists webhooks with open deliveries, oldest first. `last`: the last `seq`; undefined if fewer than `limit` are left. */
export const openWebhooks = (
  sql: SqlStorage,
  { after, to }: OpenSlice,
  limit: number,
): { webhooks: { seq: number; source: string; deliveries: Delivery[] }[]; last: number | undefined } => {
  const rows = sql
    .exec<{ seq: number; source: string; deliveries: string }>(
      `SELECT seq, source, deliveries FROM webhooks INDEXED BY webhooks_open
       WHERE open = 1 AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      after,
      to,
      limit,
    )
    .toArray();
  const webhooks = rows.flatMap(({ seq, source, deliveries: json }) => {
    const deliveries = parseDeliveries(json);
    if (!deliveries) log("webhook_unreadable", { id: webhookIdOf(seq) });
    return deliveries ? [{ seq, source, deliveries }] : [];
  });
  return { webhooks, last: rows.length < limit ? undefined : rows.at(-1)?.seq };
};

/** Counts from the index only: a million in 50 ms. */
export const countOpenWebhooks = (sql: SqlStorage, { after, to }: OpenSlice): number =>
  sql
    .exec<{ n: number }>(
      "SELECT count(*) AS n FROM webhooks INDEXED BY webhooks_open WHERE open = 1 AND seq > ? AND seq <= ?",
      after,
      to,
    )
    .one().n;

export const newestSeq = (sql: SqlStorage): number =>
  sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM webhooks").one().seq ?? 0;
export const oldestSeq = (sql: SqlStorage): number | undefined =>
  sql.exec<{ seq: number | null }>("SELECT min(seq) AS seq FROM webhooks").one().seq ?? undefined;
