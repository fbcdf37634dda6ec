import { DAY_MS } from "../../lib/util/dates.ts";
import { claimedFor } from "../dispatch/claims.ts";
import { formerAddresses } from "../identity/former-addresses.ts";
import { personOf, type Rows } from "../identity/identity-rows.ts";
import { learn } from "../identity/learn.ts";
import { customerMoves } from "../identity/moved-customers.ts";
import { fillNames } from "../identity/object-names.ts";
import { restatedBy, restatements } from "../identity/restated.ts";
import { namesIn } from "../identity/subscriptions.ts";
import { noteLate } from "../identity/watermarks.ts";
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
  const { links, occurredAt, source, eventId } = webhook;
  const moves = customerMoves(links, occurredAt, rows).map((move) => ({ ...move, claimed: claimedFor(sql, move.ref) }));
  const restated = moves.flatMap(({ from, to, left, claimed }) => {
    const names = [...namesIn(left), ...claimed.flatMap((one) => one.names)];
    return restatedBy(from, to, [...new Set(names)]);
  });
  const own = [
    ...fillNames(sql, webhook.deliveries),
    ...deliveriesForFormer(webhook, rows),
    ...restatements(restated, [source, eventId]),
  ];
  const deliveries = own.map(
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
  // A request in flight may reach the former contact after it was written again.
  for (const { from, claimed } of moves)
    for (const { claim } of claimed) noteLate(sql, personOf(sql, from), claim, claim.at, now);
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
