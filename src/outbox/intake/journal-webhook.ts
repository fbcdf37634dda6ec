import { DAY_MS } from "../../lib/util/dates.ts";
import { formerAddresses } from "../identity/former.ts";
import { learn } from "../identity/learn.ts";
import { fillNames } from "../identity/object-names.ts";
import type { Rows } from "../identity/rows.ts";
import { findByBody, findByEventId } from "../journal/read.ts";
import { insertWebhook, retireDigest } from "../journal/write.ts";
import { acceptedAt, FORMER, webhookIdOf } from "../model/calls.ts";
import type { Call, PlannedWebhook, Receipt } from "../model/types.ts";

/** Milliseconds. */
const CLOCK_SKEW = 300_000;

export type JournalledWebhook = { receipt: Receipt; seq: number; calls: Call[]; relinked: string[] };

/** Journals a new webhook with deliveries and links, in the caller's transaction. */
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

const callsForFormer = ({ links, occurredAt, source, eventId }: PlannedWebhook, rows: Rows) =>
  formerAddresses(links, occurredAt, rows).map(({ userId, email, marks }, index) => ({
    rule: FORMER,
    action: "contact" as const,
    contact: { userId },
    properties: {},
    // The address is left out: a key stays after the person is erased.
    key: JSON.stringify([source, eventId, FORMER, index]),
    former: { email, marks },
  }));

/** Needed because some provider ids are not signed. */
const sameBody = (sql: SqlStorage, { source, bodyDigest }: PlannedWebhook) =>
  bodyDigest === undefined ? undefined : findByBody(sql, source, bodyDigest);

/** Nearly all webhooks are new, so the insert detects duplicates. */
const insertOrFind = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, calls: Call[]) =>
  insertWebhook(sql, seq, webhook, calls) ? undefined : findByEventId(sql, webhook.source, webhook.eventId);
