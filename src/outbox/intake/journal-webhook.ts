import { DAY_MS } from "../../lib/util/dates.ts";
import { inFlightFor } from "../dispatch/claims.ts";
import { formerAddresses } from "../identity/former-addresses.ts";
import { personOf, type Rows } from "../identity/identity-rows.ts";
import { learn } from "../identity/learn.ts";
import { customerMoves } from "../identity/moved-customers.ts";
import { fillNames } from "../identity/object-names.ts";
import { restatedBy, restatements } from "../identity/restated.ts";
import { namesIn } from "../identity/subscriptions.ts";
import { noteLate } from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { findByBody, findByEventId, readDeliveries } from "../journal/read.ts";
import { insertWebhook, renameEvent, replaceWebhook } from "../journal/write.ts";
import { acceptedAt, FORMER, isOpen, webhookIdOf, withAttempt } from "../model/delivery-state.ts";
import type { Attempt, Delivery, DeliveryRef, PlannedWebhook, Receipt } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import { type Added, writeNames } from "./renamed.ts";

/** Milliseconds. */
const CLOCK_SKEW = 300_000;

/** `completes`: the webhook was journaled as a thin event. `deliveries` are then all of it. */
export type JournaledWebhook = {
  receipt: Receipt;
  seq: number;
  deliveries: Delivery[];
  relinked: string[];
  /** Deliveries added to earlier webhooks. */
  added: Added[];
  completes?: true;
};

/** `rows`: of the webhook's contacts. `isInFlight`: true for a delivery with a request that is not answered yet. */
export type Known = { rows: Rows; isInFlight: (ref: DeliveryRef) => boolean };

/** Journals a new webhook with deliveries and links, in the caller's transaction. */
export const journalWebhook = (
  sql: SqlStorage,
  planned: PlannedWebhook,
  seq: number,
  now: number,
  around: Known,
): JournaledWebhook => {
  const { webhook, deliveries, learnAll } = prepared(sql, planned, now, around);
  const known = sameBody(sql, webhook, now) ?? insertOrFind(sql, seq, webhook, deliveries);
  if (known && webhook.digest && now - acceptedAt(known.seq) >= DAY_MS) {
    // A digest is a duplicate for 24 h only, so that equal text is new.
    renameEvent(sql, known.seq, `${webhook.eventId}@${known.seq}`);
    insertWebhook(sql, seq, webhook, deliveries);
  } else if (known) {
    const fetch =
      webhook.skip === undefined && !deliveries.some(isFetch) ? known.deliveries.find(isUnfetched) : undefined;
    if (!fetch) {
      const receipt = { id: webhookIdOf(known.seq), duplicate: true, deliveries: known.deliveries.length };
      return { receipt, seq: known.seq, deliveries: [], relinked: [], added: [] };
    }
    Object.assign(fetch, { state: "done", message: reasons.fetchedBefore, settledAt: now });
    return completed(sql, known, { webhook, deliveries, learnAll }, now);
  }
  const receipt = { id: webhookIdOf(seq), duplicate: false, deliveries: deliveries.length };
  return { receipt, seq, deliveries, ...learnAll() };
};

const isFetch = ({ action }: Delivery): boolean => action === "fetch";
const isUnfetched = (delivery: Delivery): boolean =>
  isFetch(delivery) && (isOpen(delivery) || delivery.state === "failed");

/**
 * Gives a thin webhook its data and deliveries, in the caller's transaction. Undefined if it has them, or is gone;
 * "duplicate" if another webhook has the id of the fetched event.
 *
 * @param attempt the fetch that succeeded
 */
export const completeWebhook = (
  sql: SqlStorage,
  planned: PlannedWebhook,
  { seq, index }: DeliveryRef,
  attempt: Attempt,
  now: number,
  around: Known,
): JournaledWebhook | "duplicate" | undefined => {
  const known = readDeliveries(sql, seq);
  const fetch = known?.deliveries[index];
  if (!known || !fetch || !isFetch(fetch) || !isOpen(fetch)) return undefined;
  const { source, eventId } = planned;
  if (eventId !== known.eventId && findByEventId(sql, source, eventId)) return "duplicate";
  Object.assign(fetch, { state: "done", settledAt: now, attempts: withAttempt(fetch, attempt) });
  delete fetch.message;
  return completed(sql, known, prepared(sql, planned, now, around), now);
};

const completed = (
  sql: SqlStorage,
  { seq, eventId, deliveries: before }: WebhookDeliveries,
  { webhook, deliveries: more, learnAll }: ReturnType<typeof prepared>,
  now: number,
): JournaledWebhook => {
  const deliveries = [...before, ...more.map((delivery) => ({ ...delivery, plannedAt: now }))];
  const outcomes = webhook.outcomes.map((outcome) => ({ ...outcome, at: now }));
  if (webhook.eventId !== eventId) renameEvent(sql, seq, webhook.eventId);
  replaceWebhook(sql, seq, { ...webhook, outcomes }, deliveries);
  const learned = learnAll();
  const receipt = { id: webhookIdOf(seq), duplicate: false, deliveries: deliveries.length };
  return { receipt, seq, deliveries, ...learned, completes: true };
};

/** `learnAll` saves links, names and moves, and returns the keys with a possibly changed person. */
const prepared = (sql: SqlStorage, planned: PlannedWebhook, now: number, { rows, isInFlight }: Known) => {
  // A time in the future would win over all later webhooks.
  const webhook = { ...planned, occurredAt: Math.min(planned.occurredAt, now + CLOCK_SKEW) };
  const { skip, lane } = webhook;
  const { links, occurredAt, source, eventId } = webhook;
  const moves = customerMoves(links, occurredAt, rows).map((move) => ({
    ...move,
    sent: inFlightFor(sql, move.ref, isInFlight),
  }));
  const restated = moves.flatMap(({ from, to, left, sent }) => {
    const names = [...namesIn(left), ...sent.flatMap((one) => one.names)];
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
  const learnAll = (): Pick<JournaledWebhook, "relinked" | "added"> => {
    const { relinked, named } = learn(sql, skip === undefined ? webhook : { ...webhook, deliveries: [] }, now, rows);
    // A request in flight that is never answered may reach the former contact after it was written again.
    for (const { from, sent } of moves)
      for (const { claim } of sent) {
        const person = personOf(sql, from);
        noteLate(sql, person, claim, claim.at, now, claim.attempts);
        rows.written(person);
      }
    return { relinked, added: writeNames(sql, named, now) };
  };
  return { webhook, deliveries, learnAll };
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

/** Needed because some provider ids are not signed, or are new at each attempt. */
const sameBody = (
  sql: SqlStorage,
  { source, bodyDigest, repeatsFor = Number.POSITIVE_INFINITY }: PlannedWebhook,
  now: number,
) => {
  const known = bodyDigest === undefined ? undefined : findByBody(sql, source, bodyDigest);
  return known && now - acceptedAt(known.seq) < repeatsFor ? known : undefined;
};

/** Nearly all webhooks are new, so the insert detects duplicates. */
const insertOrFind = (sql: SqlStorage, seq: number, webhook: PlannedWebhook, deliveries: Delivery[]) =>
  insertWebhook(sql, seq, webhook, deliveries) ? undefined : findByEventId(sql, webhook.source, webhook.eventId);
