import { isOpen, needsAttention } from "../model/delivery-state.ts";
import type { Delivery, Journaled, PlannedWebhook } from "../model/journal-types.ts";
import type { WebhookDeliveries } from "./journal-rows.ts";
import { readWebhook } from "./read.ts";
import { erase, eraseBody, eraseDelivery, secretsAt } from "./secrets.ts";

/** Adds a webhook. Returns false if its event id exists. */
export const insertWebhook = (
  sql: SqlStorage,
  seq: number,
  webhook: PlannedWebhook,
  deliveries: Delivery[],
): boolean => {
  const { body, kept, open } = storedBody(webhook, deliveries);
  const { rowsWritten } = sql.exec(
    `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, secret_paths, outcomes, deliveries, open)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, event_id) DO NOTHING`,
    seq,
    webhook.source,
    webhook.eventId,
    webhook.type,
    webhook.occurredAt,
    webhook.rank,
    webhook.test ? 1 : 0,
    body,
    kept.length > 0 ? JSON.stringify(kept) : null,
    JSON.stringify(webhook.outcomes),
    JSON.stringify(deliveries),
    open ? 1 : 0,
  );
  // RETURNING costs about as much as one of the two indexes.
  return rowsWritten > 0;
};

/** Gives a thin webhook its data: three rows. */
export const replaceWebhook = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, deliveries: Delivery[]): void => {
  const { type, occurredAt, rank, outcomes } = webhook;
  const { body, kept, open } = storedBody(webhook, deliveries);
  sql.exec(
    `UPDATE webhooks SET type = ?, occurred_at = ?, rank = ?, body = ?, secret_paths = ?, outcomes = ?, deliveries = ?,
       open = ?, attention = ? WHERE seq = ?`,
    type,
    occurredAt,
    rank,
    body,
    kept.length > 0 ? JSON.stringify(kept) : null,
    JSON.stringify(outcomes),
    JSON.stringify(deliveries),
    open ? 1 : 0,
    attentionOf(deliveries),
    seq,
  );
};

/** One-time secrets stay only while an open delivery may need them. */
const storedBody = ({ raw, secretPaths }: PlannedWebhook, deliveries: readonly Delivery[]) => {
  const open = deliveries.some(isOpen);
  return open || secretPaths.length === 0
    ? { open, body: raw, kept: secretPaths }
    : { open, body: eraseBody(raw, secretPaths, secretsAt(raw, secretPaths)), kept: [] };
};

/** Gives a webhook another event id: two rows. */
export const renameEvent = (sql: SqlStorage, seq: number, eventId: string): void => {
  sql.exec("UPDATE webhooks SET event_id = ? WHERE seq = ?", eventId, seq);
};

/** Saves deliveries in one row and erases secrets that none needs. */
export const saveDeliveries = (
  sql: SqlStorage,
  webhook: Pick<WebhookDeliveries, "seq" | "deliveries" | "secretPaths">,
): Delivery[] => {
  const open = webhook.deliveries.some(isOpen);
  if (webhook.secretPaths.length === 0) return updateDeliveries(sql, webhook.seq, webhook.deliveries, open);

  const { body = "", outcomes = [] } = readWebhook(sql, webhook.seq) ?? {};
  const secrets = secretsAt(body, webhook.secretPaths);
  const deliveries = webhook.deliveries.map((delivery) =>
    isOpen(delivery) ? delivery : eraseDelivery(delivery, secrets),
  );
  const stillNeeded = deliveries.some(
    (delivery) => isOpen(delivery) && erase(JSON.stringify(delivery), secrets) !== JSON.stringify(delivery),
  );
  if (stillNeeded) return updateDeliveries(sql, webhook.seq, deliveries, open);
  sql.exec(
    `UPDATE webhooks SET deliveries = ?, body = ?, outcomes = ?, secret_paths = NULL${flagsOf(deliveries, open)} WHERE seq = ?`,
    JSON.stringify(deliveries),
    eraseBody(body, webhook.secretPaths, secrets),
    erase(JSON.stringify(outcomes), secrets),
    webhook.seq,
  );
  return deliveries;
};

const updateDeliveries = (sql: SqlStorage, seq: number, deliveries: Delivery[], open: boolean): Delivery[] => {
  sql.exec(
    `UPDATE webhooks SET deliveries = ?${flagsOf(deliveries, open)} WHERE seq = ?`,
    JSON.stringify(deliveries),
    seq,
  );
  return deliveries;
};

/** Naming the column `open` would write its index too: one more row per attempt. */
const flagsOf = (deliveries: readonly Delivery[], open: boolean): string => {
  const attention = attentionOf(deliveries);
  return `${open ? "" : ", open = 0"}${attention === 0 ? "" : `, attention = ${attention}`}`;
};

const attentionOf = (deliveries: readonly Delivery[]): number => deliveries.filter(needsAttention).length;

/** Saves reopened deliveries: two or three rows. */
export const reopenDeliveries = (
  sql: SqlStorage,
  { seq, deliveries }: Pick<Journaled, "seq" | "deliveries">,
  outcomes?: Journaled["outcomes"],
): void => {
  const open = deliveries.some(isOpen) ? 1 : 0;
  sql.exec(
    "UPDATE webhooks SET deliveries = ?, open = ?, attention = ? WHERE seq = ?",
    JSON.stringify(deliveries),
    open,
    attentionOf(deliveries),
    seq,
  );
  if (outcomes) sql.exec("UPDATE webhooks SET outcomes = ? WHERE seq = ?", JSON.stringify(outcomes), seq);
};

/** Replaces deliveries, body and outcomes after an erasure: two rows. */
export const rewriteWebhook = (
  sql: SqlStorage,
  given: Journaled,
  { deliveries, body, outcomes }: { deliveries: readonly Delivery[]; body: string; outcomes: string },
): void => {
  const secrets = secretsAt(given.body, given.secretPaths);
  const open = deliveries.some(isOpen);
  const clean = deliveries.map((delivery) => (isOpen(delivery) ? delivery : eraseDelivery(delivery, secrets)));
  sql.exec(
    `UPDATE webhooks SET deliveries = ?, body = ?, outcomes = ?, open = ?, attention = ?${open ? "" : ", secret_paths = NULL"} WHERE seq = ?`,
    JSON.stringify(clean),
    body,
    open ? outcomes : erase(outcomes, secrets),
    open ? 1 : 0,
    attentionOf(clean),
    given.seq,
  );
};
