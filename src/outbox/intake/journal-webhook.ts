import { DAY_MS } from "../../lib/util/dates.ts";
import { formerAddresses } from "../identity/former-addresses.ts";
import type { Rows } from "../identity/identity-rows.ts";
import { learn } from "../identity/learn.ts";
import { fillNames } from "../identity/object-names.ts";
import { findByBody, findByEventId } from "../journal/read.ts";
import { insertWebhook, retireDigest } from "../journal/write.ts";
import { acceptedAt, FORMER, webhookIdOf } from "../model/delivery-state.ts";
import type { Delivery, PlannedWebhook, Receipt } from "../model/journal-types.ts";

/** Milliseconds. */
const CLOCK_SKEW = 300_000;

export type JournaledWebhook = { receipt: Receipt; seq: number; deliveries: Delivery[]; relinked: string[] };

/** Journals a new webhook with deliveries and links, in the caller's transaction. */
export const journalWebhook = (
  sql: SqlStorage,
  planned: PlannedWebhook,
  seq: number,
  now: number,
  rows: Rows,
): JournaledWebhook => {
  // A time in the future would win over all later webhooks.
  const webhook = { ...planned, occurredAt: Math.min(planned.occurredAt, now + CLOCK_SKEW) };
  const { skip, lane } = webhook;
  const deliveries = [...fillNames(sql, webhook.deliveries), ...deliveriesForFormer(webhook, rows)].map(
    (delivery): Delivery => ({
      ...delivery,
      ...(lane === undefined ? {} : { lane }),
      ...(skip === undefined ? { state: "waiting" } : { state: "skipped", message: skip, settledAt: now }),
      due: now,
      attempts: [],
    }),
  );
  const known = sameBody(sql, webhook) ?? insertOrFind(sql, seq, webhook, deliveries);
  if (known && webhook.digest && now - acceptedAt(known.seq) >= DAY_MS) {
    retireDigest(sql, known.seq, webhook.eventId);
    insertWebhook(sql, seq, webhook, deliveries);
  } else if (known) {
    const receipt = { id: webhookIdOf(known.seq), duplicate: true, deliveries: known.deliveries.length };
    return { receipt, seq: known.seq, deliveries: [], relinked: [] };
  }
  const relinked = learn(sql, skip === undefined ? webhook : { ...webhook, deliveries: [] }, now, rows);
  return {
    receipt: { id: webhookIdOf(seq), duplicate: false, deliveries: deliveries.length },
    seq,
    deliveries,
    relinked,
  };
};

const deliveriesForFormer = ({ links, occurredAt, source, eventId }: PlannedWebhook, rows: Rows) =>
  formerAddresses(links, occurredAt, rows).map(({ userId, email, watermarks }, index) => ({
    rule: FORMER,
    action: "contact" as const,
    contact: { userId },
    properties: {},
    // The address is left out: a key stays after the person is erased.
    key: JSON.stringify([source, eventId, FORMER, index]),
    former: { email, watermarks },
  }));

/** Needed because some provider ids are not signed. */
const sameBody = (sql: SqlStorage, { source, bodyDigest }: PlannedWebhook) =>
  bodyDigest === undefined ? undefined : findByBody(sql, source, bodyDigest);

/** Nearly all webhooks are new, so the insert detects duplicates. */
const insertOrFind = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, deliveries: Delivery[]) =>
  insertWebhook(sql, seq, webhook, deliveries) ? undefined : findByEventId(sql, webhook.source, webhook.eventId);
