import { isOpen, needsAttention } from "../model/calls.ts";
import type { Call, Journalled, PlannedWebhook } from "../model/types.ts";
import { readWebhook } from "./read.ts";
import type { WebhookCalls } from "./rows.ts";
import { erase, eraseBody, eraseCall, secretsAt } from "./secrets.ts";

/** Adds a webhook. Returns false if its event id exists. */
export const insertWebhook = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, calls: Call[]): boolean => {
  const open = calls.some(isOpen);
  // One-time secrets stay only while an open delivery may need them.
  const { body, kept } =
    open || webhook.secretPaths.length === 0
      ? { body: webhook.raw, kept: webhook.secretPaths }
      : { body: eraseBody(webhook.raw, webhook.secretPaths, secretsAt(webhook.raw, webhook.secretPaths)), kept: [] };
  const { rowsWritten } = sql.exec(
    `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, secret_paths, outcomes, calls, open)
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
    JSON.stringify(calls),
    open ? 1 : 0,
  );
  // RETURNING costs about as much as one of the two indexes.
  return rowsWritten > 0;
};

/** Renames a digest event id after 24 h, so that equal text is new. */
export const retireDigest = (sql: SqlStorage, seq: number, eventId: string): void => {
  sql.exec("UPDATE webhooks SET event_id = ? WHERE seq = ?", `${eventId}@${seq}`, seq);
};

/** Saves deliveries in one row and erases secrets that none needs. */
export const saveCalls = (sql: SqlStorage, webhook: Pick<WebhookCalls, "seq" | "calls" | "secretPaths">): Call[] => {
  const open = webhook.calls.some(isOpen);
  if (webhook.secretPaths.length === 0) return updateCalls(sql, webhook.seq, webhook.calls, open);

  const { body = "", outcomes = [] } = readWebhook(sql, webhook.seq) ?? {};
  const secrets = secretsAt(body, webhook.secretPaths);
  const calls = webhook.calls.map((call) => (isOpen(call) ? call : eraseCall(call, secrets)));
  const stillNeeded = calls.some(
    (call) => isOpen(call) && erase(JSON.stringify(call), secrets) !== JSON.stringify(call),
  );
  if (stillNeeded) return updateCalls(sql, webhook.seq, calls, open);
  sql.exec(
    `UPDATE webhooks SET calls = ?, body = ?, outcomes = ?, secret_paths = NULL${flagsOf(calls, open)} WHERE seq = ?`,
    JSON.stringify(calls),
    eraseBody(body, webhook.secretPaths, secrets),
    erase(JSON.stringify(outcomes), secrets),
    webhook.seq,
  );
  return calls;
};

const updateCalls = (sql: SqlStorage, seq: number, calls: Call[], open: boolean): Call[] => {
  sql.exec(`UPDATE webhooks SET calls = ?${flagsOf(calls, open)} WHERE seq = ?`, JSON.stringify(calls), seq);
  return calls;
};

/** Naming the column `open` would write its index too: one more row per attempt. */
const flagsOf = (calls: readonly Call[], open: boolean): string => {
  const attention = attentionOf(calls);
  return `${open ? "" : ", open = 0"}${attention === 0 ? "" : `, attention = ${attention}`}`;
};

const attentionOf = (calls: readonly Call[]): number => calls.filter(needsAttention).length;

/** Saves reopened deliveries: two or three rows. */
export const reopenCalls = (
  sql: SqlStorage,
  { seq, calls }: Pick<Journalled, "seq" | "calls">,
  outcomes?: Journalled["outcomes"],
): void => {
  const open = calls.some(isOpen) ? 1 : 0;
  sql.exec(
    "UPDATE webhooks SET calls = ?, open = ?, attention = ? WHERE seq = ?",
    JSON.stringify(calls),
    open,
    attentionOf(calls),
    seq,
  );
  if (outcomes) sql.exec("UPDATE webhooks SET outcomes = ? WHERE seq = ?", JSON.stringify(outcomes), seq);
};

/** Replaces deliveries, body and outcomes after an erasure: two rows. */
export const rewriteWebhook = (
  sql: SqlStorage,
  given: Journalled,
  { calls, body, outcomes }: { calls: readonly Call[]; body: string; outcomes: string },
): void => {
  const secrets = secretsAt(given.body, given.secretPaths);
  const open = calls.some(isOpen);
  const clean = calls.map((call) => (isOpen(call) ? call : eraseCall(call, secrets)));
  sql.exec(
    `UPDATE webhooks SET calls = ?, body = ?, outcomes = ?, open = ?, attention = ?${open ? "" : ", secret_paths = NULL"} WHERE seq = ?`,
    JSON.stringify(clean),
    body,
    open ? outcomes : erase(outcomes, secrets),
    open ? 1 : 0,
    attentionOf(clean),
    given.seq,
  );
};
