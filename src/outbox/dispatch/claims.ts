import { readValue, saveValue } from "../../lib/util/kv.ts";
import { personOfContact } from "../identity/resolve-person.ts";
import { current, readKnown } from "../identity/subscriptions.ts";
import { hasState, storeState } from "../identity/unsent-state.ts";
import { noteLate, noteLateOfErased } from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { readDeliveries } from "../journal/read.ts";
import { saveDeliveries } from "../journal/write.ts";
import { isKeyed } from "../model/delivery-deadlines.ts";
import { isOpen, wasErased } from "../model/delivery-state.ts";
import type { Delivery, DeliveryRef } from "../model/journal-types.ts";
import { keyOf } from "../queue/person-queues.ts";
import { decideBeside } from "./stored-conditions.ts";

/**
 * A durable note that a delivery is about to be sent; from `at` on, it may have arrived. After a crash, a claim
 * without an outcome means unknown.
 */
type Claim = DeliveryRef & { attempts: number /** Unix ms. */; at: number };

/** Ms. */
const LIFETIME = 5_000;

export type Claims = ReadonlyMap<string, Claim>;

export const isClaimed = (claims: Claims, delivery: DeliveryRef & { attempts: number }, now: number): boolean => {
  const claim = claims.get(keyOf(delivery));
  return claim !== undefined && claim.attempts === delivery.attempts && now - claim.at <= LIFETIME && now >= claim.at;
};

/** Claims the next deliveries in one row, and keeps claims in flight. */
export const claim = (
  sql: SqlStorage,
  claims: Claims,
  inFlight: readonly DeliveryRef[],
  next: readonly (DeliveryRef & { attempts: number })[],
  at: number,
): Claims => {
  const kept = inFlight.flatMap((delivery) => claims.get(keyOf(delivery)) ?? []);
  const list = [...kept, ...next.map(({ seq, index, attempts }): Claim => ({ seq, index, attempts, at }))];
  const all = new Map(list.map((one) => [keyOf(one), one]));
  const rows = Array.from(all.values(), ({ seq, index, attempts, at: since }) => [seq, index, attempts, since]);
  saveValue(sql, "claims", rows);
  return all;
};

/** Returns updates in flight about a customer, with the properties that follow it. */
export const inFlightFor = (
  sql: SqlStorage,
  ref: string,
  isInFlight: (ref: DeliveryRef) => boolean,
): { claim: Claim; names: string[] }[] =>
  (readValue<number[][]>(sql, "claims") ?? []).flatMap(([seq = 0, index = 0, attempts = 0, at = 0]) => {
    if (!isInFlight({ seq, index })) return [];
    const delivery = readDeliveries(sql, seq)?.deliveries[index];
    if (delivery?.action !== "contact" || !isOpen(delivery) || (delivery.attemptCount ?? 0) !== attempts) return [];
    const { contact, subscription, customer } = delivery;
    const of = subscription && (contact.ref === ref || subscription.customer === ref) ? subscription.properties : [];
    const names = [...of, ...(customer?.ref === ref ? [customer.as] : [])];
    return names.length > 0 ? [{ claim: { seq, index, attempts, at }, names }] : [];
  });

/**
 * Marks claimed deliveries as unknown after a crash, before anything is sent.
 *
 * @returns `claimedAt`: newest claim, Unix ms; `unanswered`: possibly still in flight
 */
export const recover = (sql: SqlStorage, now: number): { claimedAt: number; unanswered: number } | undefined => {
  const claims = readValue<number[][]>(sql, "claims");
  if (!claims) return undefined;
  let unanswered = 0;
  for (const [seq = 0, index = 0, attempts = 0, at = 0] of claims) {
    const webhook = readDeliveries(sql, seq);
    const delivery = webhook?.deliveries[index];
    if (!webhook || !delivery || (delivery.attemptCount ?? 0) !== attempts) continue;
    const isErased = wasErased(delivery);
    if (delivery.state !== "waiting" && !isErased) continue;
    delivery.attempts.push({ at });
    markInterrupted(delivery);
    const person = isErased ? undefined : personOfContact(sql, delivery.contact);
    if (person !== undefined && delivery.action === "contact") keepState(sql, webhook, delivery, person, now);
    saveDeliveries(sql, webhook);
    unanswered++;
    if (isErased) noteLateOfErased(sql, at, now);
    else if (person !== undefined && !isKeyed(delivery)) noteLate(sql, person, { seq, index }, at, now);
  }
  saveValue(sql, "claims", undefined);
  return { claimedAt: Math.max(...claims.map(([, , , at = 0]) => at)), unanswered };
};

/** Stores values that may have arrived, so that they are cleared when their customer moves. */
const keepState = (
  sql: SqlStorage,
  webhook: WebhookDeliveries,
  delivery: Delivery & { action: "contact" },
  person: string,
  now: number,
): void => {
  const { subscriptions, watermarks } = readKnown(sql, person);
  if (hasState(delivery)) decideBeside(current(subscriptions, watermarks), webhook, delivery, now);
  storeState(sql, webhook, delivery, person, {}, now);
};

const markInterrupted = (delivery: Delivery): void => {
  const attempt = delivery.attempts.at(-1);
  if (attempt) {
    attempt.message ??= "The bridge was interrupted before it learned the outcome.";
    delivery.unknownSince ??= attempt.at;
  }
  delivery.attemptCount = (delivery.attemptCount ?? 0) + 1;
};
