import { DAY_MS } from "../../lib/util/dates.ts";
import { formerAddresses } from "../identity/former.ts";
import { learn } from "../identity/learn.ts";
import { fillNames } from "../identity/object-names.ts";
import type { Rows } from "../identity/rows.ts";
import { findByBody, findByEventId } from "../journal/read.ts";
import { insertWebhook, retireDigest } from "../journal/write.ts";
import { acceptedAt, FORMER, webhookIdOf } from "../model/calls.ts";
import type { Call, PlannedWebhook, Receipt } from "../model/types.ts";

/** Most ms that a provider's clock may be ahead of ours. */
const CLOCK_SKEW = 300_000;

/** The result for one webhook: its receipt, its calls, and the identity keys whose person may have changed. */
export type JournalledWebhook = { receipt: Receipt; seq: number; calls: Call[]; relinked: string[] };

/**
 * Journals a webhook with its calls and identity links, unless it is a duplicate. Runs in the caller's transaction.
 *
 * @param seq its place in the journal
 * @param rows reads the rows of its identity links
 */
export const journalWebhook = (
  sql: SqlStorage,
  planned: PlannedWebhook,
  seq: number,
  now: number,
  rows: Rows,
): JournalledWebhook => {
  // A time in the future would win over all later webhooks.
  const webhook = { ...planned, occurredAt: Math.min(planned.occurredAt, now + CLOCK_SKEW) };
  const { skip, lane } = webhook;
  const calls = [...fillNames(sql, webhook.calls), ...callsForFormer(webhook, rows)].map(
    (call): Call => ({
      ...call,
      ...(lane === undefined ? {} : { lane }),
      ...(skip === undefined ? { state: "waiting" } : { state: "skipped", message: skip, settledAt: now }),
      due: now,
      attempts: [],
    }),
  );
  const known = sameBody(sql, webhook) ?? insertOrFind(sql, seq, webhook, calls);
  if (known && webhook.digest && now - acceptedAt(known.seq) >= DAY_MS) {
    retireDigest(sql, known.seq, webhook.eventId);
    insertWebhook(sql, seq, webhook, calls);
  } else if (known) {
    const receipt = { id: webhookIdOf(known.seq), duplicate: true, calls: known.calls.length };
    return { receipt, seq: known.seq, calls: [], relinked: [] };
  }
  const relinked = learn(sql, skip === undefined ? webhook : { ...webhook, calls: [] }, now, rows);
  return { receipt: { id: webhookIdOf(seq), duplicate: false, calls: calls.length }, seq, calls, relinked };
};

/** Calls that move the values of contacts with former addresses to the users of these addresses. */
const callsForFormer = ({ links, occurredAt, source, eventId }: PlannedWebhook, rows: Rows) =>
  formerAddresses(links, occurredAt, rows).map(({ userId, email, marks }, index) => ({
    rule: FORMER,
    action: "contact" as const,
    contact: { userId },
    properties: {},
    // Without the address: a key outlives the person's data.
    key: JSON.stringify([source, eventId, FORMER, index]),
    former: { email, marks },
  }));

/** The earlier webhook with the same signed body, where the provider's id is not signed. */
const sameBody = (sql: SqlStorage, { source, eventId, bodyDigest }: PlannedWebhook) =>
  bodyDigest === undefined ? undefined : findByBody(sql, { source, eventId, bodyDigest });

/** Inserts a webhook, or returns the one with its id. Nearly all are new, so the insert detects it, not a read before it. */
const insertOrFind = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, calls: Call[]) =>
  insertWebhook(sql, seq, webhook, calls) ? undefined : findByEventId(sql, webhook.source, webhook.eventId);
