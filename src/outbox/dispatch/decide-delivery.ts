import { identifiersOf, personOfContact } from "../identity/resolve-person.ts";
import { storeState } from "../identity/unsent-state.ts";
import { ABSENT } from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { readDeliveries } from "../journal/read.ts";
import { saveDeliveries } from "../journal/write.ts";
import type { DispatchConfig } from "../model/config.ts";
import { horizonOf, IDENTITY_WAIT, isKeyed } from "../model/delivery-deadlines.ts";
import { acceptedAt } from "../model/delivery-state.ts";
import type { Delivery, DeliveryRef } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import { addToUpdate, emptyUpdate, requestOf, startUpdate, updateRequest } from "./build-request.ts";
import { type Downtime, downtimeBetween } from "./limits/downtime.ts";
import { keptTooLong, moveRequest } from "./move-former.ts";
import type { FinalState, ServiceRequest } from "./service-request.ts";
import type { Settled } from "./settle.ts";
import { contradictedBy } from "./stored-conditions.ts";

export type Decision =
  | {
      kind: "send";
      delivery: Delivery;
      request: ServiceRequest;
      joined: readonly DeliveryRef[];
      settled: readonly Settled[];
    }
  /** `grown`: the webhook has got deliveries. */
  | { kind: "settled"; delivery: Delivery; grown?: true }
  /** Waits for an identity link until this time (Unix ms). */
  | { kind: "wait"; delivery: Delivery; until: number };

/** Decides about a waiting delivery. Writes a row only if it is settled without a request. */
export const decide = (
  sql: SqlStorage,
  config: DispatchConfig,
  { seq, index }: DeliveryRef,
  now: number,
  downtime: Downtime,
  behind: readonly DeliveryRef[],
): Decision | undefined => {
  const webhook = readDeliveries(sql, seq);
  const delivery = webhook?.deliveries[index];
  if (!webhook || delivery?.state !== "waiting") return undefined;
  const settled = (final: FinalState): Decision => ({
    kind: "settled",
    delivery: settleNow(sql, webhook, index, inDoubt(delivery, final), now),
  });

  const ended = endOf(delivery, downtime, now) ?? keptTooLong(delivery, downtime, now);
  if (ended) return settled(ended);
  const contradicted = contradictedBy(sql, webhook, delivery);
  if (contradicted) return settled(contradicted);
  const request = delivery.former
    ? moveRequest(sql, config, webhook, { ...delivery, former: delivery.former })
    : requestOf(sql, config, webhook, delivery);
  if ("wait" in request) {
    const accepted = acceptedAt(seq);
    const until = accepted + IDENTITY_WAIT + downtimeBetween(downtime, accepted, now);
    return now >= until
      ? settled({
          state: delivery.mayStayUnknown ? "skipped" : "undecided",
          message: [request.wait, delivery.asked].filter(Boolean).join(" "),
        })
      : { kind: "wait", delivery, until };
  }
  if ("state" in request) {
    const before = webhook.deliveries.length;
    if (isBarred(request)) storeBarred(sql, webhook, delivery, now);
    return { ...settled(request), ...(webhook.deliveries.length > before ? { grown: true } : {}) };
  }
  const old = tooOld(delivery, webhook, downtimeBetween(downtime, acceptedAt(seq), now), now);
  if (old) return settled(old);
  return delivery.action === "contact" && !isAlone(delivery) && behind.length > 0
    ? joinUpdates(sql, config, webhook, delivery, behind, now)
    : { kind: "send", delivery, request, joined: [], settled: [] };
};

const isBarred = ({ state, message }: FinalState): boolean =>
  state === "skipped" && (message === reasons.ignored || message === reasons.notAllowed);

/** The customer may move to another address: its contact then shows the state. */
const storeBarred = (sql: SqlStorage, webhook: WebhookDeliveries, delivery: Delivery, now: number): void => {
  const person = personOfContact(sql, delivery.contact);
  if (person === undefined || delivery.action !== "contact") return;
  storeState(sql, webhook, delivery, person, { [ABSENT]: [webhook.occurredAt, webhook.rank] }, now);
};

const isAlone = ({ removes, former, restates }: Delivery): boolean => Boolean(removes ?? former ?? restates);

const endOf = (delivery: Delivery, downtime: Downtime, now: number): FinalState | undefined => {
  if (delivery.action === "transactional" && delivery.expiresAt !== undefined && now >= delivery.expiresAt) {
    return { state: "failed", message: `${reasons.expired}: the mail was not sent before its expiry time.` };
  }
  if (delivery.unknownSince === undefined) return undefined;
  // Keyed deliveries ignore downtime: the email service drops keys after 24 h regardless.
  const down = isKeyed(delivery) ? 0 : downtimeBetween(downtime, delivery.unknownSince, now);
  if (now < delivery.unknownSince + horizonOf(delivery) + down) return undefined;
  const message = `${reasons.unknownOutcome}, and will soon drop its key. Check at the email service, then retry or discard.`;
  return { state: "undecided", message };
};

/** An earlier attempt of the mail or event may have succeeded. */
const inDoubt = (delivery: Delivery, { state, message }: FinalState): FinalState =>
  isKeyed(delivery) && delivery.unknownSince !== undefined && state !== "undecided"
    ? { state, message: `${message} ${reasons.maybeSent}` }
    : { state, message };

/** Downtime does not count. */
const tooOld = (
  delivery: Delivery,
  { occurredAt }: WebhookDeliveries,
  down: number,
  now: number,
): FinalState | undefined => {
  if (!("notAfter" in delivery) || delivery.notAfter === undefined || delivery.attempts.length > 0) return undefined;
  if (now < delivery.notAfter + down) return undefined;
  const happened = new Date(occurredAt).toISOString().slice(0, 10);
  const message = `${reasons.tooOld}: the webhook is of ${happened}. To send the ${delivery.action === "event" ? "event" : "mail"} all the same, use send-again.`;
  return { state: "skipped", message };
};

const settleNow = (
  sql: SqlStorage,
  webhook: WebhookDeliveries,
  index: number,
  final: FinalState,
  now: number,
): Delivery => {
  const delivery = webhook.deliveries[index] as Delivery;
  Object.assign(delivery, final, { settledAt: now });
  return saveDeliveries(sql, webhook)[index] ?? delivery;
};

/** The effect is the same as sending them in order. */
const joinUpdates = (
  sql: SqlStorage,
  config: DispatchConfig,
  webhook: WebhookDeliveries,
  delivery: Delivery & { action: "contact" },
  behind: readonly DeliveryRef[],
  now: number,
): Decision => {
  const contact = identifiersOf(sql, delivery, webhook.occurredAt) ?? {};
  const update = startUpdate(sql, contact);
  addToUpdate(update, config, webhook, delivery);
  const joined: DeliveryRef[] = [];
  const settled: Settled[] = [];
  for (const { seq, index } of behind) {
    const next = readDeliveries(sql, seq);
    const other = next?.deliveries[index];
    if (!next || other?.state !== "waiting" || other.action !== "contact") break;
    const otherContact = identifiersOf(sql, other, next.occurredAt);
    const isSame = otherContact?.email === contact.email && otherContact?.userId === contact.userId;
    if (isAlone(other) || !isSame) break;
    const alone = addToUpdate({ ...update, ...emptyUpdate() }, config, next, other);
    if (alone?.state === "replaced") {
      settled.push({ seq, index, source: next.source, delivery: settleNow(sql, next, index, alone, now) });
      continue;
    }
    if (addToUpdate(update, config, next, other)) break;
    joined.push({ seq, index });
  }
  return { kind: "send", delivery, request: updateRequest(update, config), joined, settled };
};
