import { ERASED } from "../../lib/names/finder.ts";
import { addressOf, resolve } from "../identity/resolve-person.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { readDeliveries } from "../journal/read.ts";
import { reopenDeliveries } from "../journal/write.ts";
import { horizonOf, isKeyed } from "../model/delivery-deadlines.ts";
import { FORMER, isOpen, isPassedOver, needsAttention } from "../model/delivery-state.ts";
import type { Act, Delivery, DeliveryRef } from "../model/journal-types.ts";
import { deliveryIdOf, describeDelivery, timeOf, whomOf, whyDelivery } from "./sentences.ts";

/** A refused action changes nothing. */
type Refusal = { code: RefusalCode; message: string };
export type RefusalCode = "not_found" | "not_retryable" | "key_expired" | "confirmation_needed" | "not_discardable";

/** The delivery after an action, or the refusal. */
export type Acted = { delivery: Delivery } | { refusal: Refusal };

export const NOT_FOUND: Refusal = {
  code: "not_found",
  message: "There is no delivery with this id, or its webhook was purged. An id looks like wh_abc.0.",
};

const refuse = (code: RefusalCode, message: string): { refusal: Refusal } => ({ refusal: { code, message } });

const find = (
  sql: SqlStorage,
  { seq, index }: DeliveryRef,
): { webhook: WebhookDeliveries; delivery: Delivery } | undefined => {
  const webhook = readDeliveries(sql, seq);
  const delivery = webhook?.deliveries[index];
  return webhook && delivery && { webhook, delivery };
};

/** Retries a failed or undecided delivery with the same key. Two rows. */
export const retry = (sql: SqlStorage, ref: DeliveryRef, now: number, by?: string): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, delivery } = found;
  const refusal = whyNotRetry(sql, webhook, ref, now);
  if (refusal) return { refusal };
  note(delivery, "retry", now, by);
  revive(delivery, now);
  // A contact update or removal can safely repeat, so its horizon restarts.
  if (!isKeyed(delivery)) delete delivery.unknownSince;
  reopenDeliveries(sql, webhook);
  return { delivery };
};

/** Returns the reason against a retry, or undefined. */
export const whyNotRetry = (
  sql: SqlStorage,
  webhook: WebhookDeliveries,
  ref: DeliveryRef,
  now: number,
): Refusal | undefined => {
  const delivery = webhook.deliveries[ref.index];
  if (!delivery) return NOT_FOUND;
  if (delivery.state !== "failed" && delivery.state !== "undecided") {
    const hint =
      delivery.state === "done"
        ? " To make it a second time, use send-again."
        : isPassedOver(delivery)
          ? " To send it all the same, use send-again."
          : "";
    return {
      code: "not_retryable",
      message: `Only a failed or undecided delivery can be retried; ${stateOf(delivery)}.${hint}`,
    };
  }
  const refusal = whyNeither(sql, webhook, ref, now);
  if (refusal) return refusal;
  if (isKeyed(delivery) && delivery.unknownSince !== undefined && now >= delivery.unknownSince + horizonOf(delivery)) {
    return {
      code: "key_expired",
      message: `The outcome of the attempt at ${timeOf(delivery.unknownSince)} is unknown, and the email service drops keys after 24 h, so a retry could make the delivery a second time. Check at the email service if it was made. If not, use send-again, which makes a new key.`,
    };
  }
  return undefined;
};

const whyNeither = (
  sql: SqlStorage,
  webhook: WebhookDeliveries,
  { seq, index }: DeliveryRef,
  now: number,
): Refusal | undefined => {
  const delivery = webhook.deliveries[index] as Delivery;
  const not = (message: string): Refusal => ({ code: "not_retryable", message });
  // Another delivery of this rule and action is the same mail or event.
  const twin = webhook.deliveries.findIndex(
    (other, position) => position !== index && isSame(delivery, other) && (isOpen(other) || other.state === "done"),
  );
  if (isKeyed(delivery) && twin >= 0)
    return not(`A replay made this delivery again as ${deliveryIdOf({ seq, index: twin })}.`);
  if (hasErased(delivery))
    return not(
      "Values of this delivery were erased, so it would be incomplete. Ask the provider to send the webhook again.",
    );
  if (delivery.action === "fetch") return undefined;
  if (delivery.rule === FORMER && delivery.former === undefined)
    return not("This delivery is complete: the email service has no contact with the former address any more.");
  if (delivery.action === "transactional" && delivery.expiresAt !== undefined && now >= delivery.expiresAt)
    return not(`This mail expired at ${timeOf(delivery.expiresAt)}. Expired mail is never sent.`);
  const known = delivery.action === "transactional" ? addressOf(sql, delivery.contact) : resolve(sql, delivery.contact);
  if (known === undefined)
    return not(
      `No webhook has linked ${whomOf(delivery)} to an email address or user id yet, so the delivery would be undecided again. First send a webhook that does.`,
    );
  return undefined;
};

type Kind = Pick<Delivery, "rule" | "action"> & { repeats?: { index: number } };

/** True for equal rule and action. */
export const isSame = (a: Kind, b: Kind): boolean =>
  a.rule === b.rule && a.action === b.action && a.repeats?.index === b.repeats?.index;

/** True if secrets or a person were erased from the delivery. */
export const hasErased = (delivery: object): boolean => {
  const { attempts: _attempts, message: _message, acts: _acts, ...content } = delivery as Partial<Delivery>;
  const text = JSON.stringify(content);
  return text.includes(ERASED) || text.includes(encodeURIComponent(ERASED));
};

/** Discards a failed or undecided delivery. Two rows. */
export const discard = (sql: SqlStorage, ref: DeliveryRef, now: number, by?: string): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, delivery } = found;
  if (delivery.state !== "failed" && delivery.state !== "undecided")
    return refuse("not_discardable", `Only a failed or undecided delivery can be discarded; ${stateOf(delivery)}.`);
  if (!needsAttention(delivery)) return { delivery };
  note(delivery, "discard", now, by);
  Object.assign(delivery, { state: "failed", message: "Discarded by a person.", settledAt: now });
  reopenDeliveries(sql, webhook);
  return { delivery };
};

/**
 * Sends a delivery again with a new key. Refuses until `confirmed`.
 *
 * @param given `key`: at most 100 characters
 */
export const sendAgain = (
  sql: SqlStorage,
  ref: DeliveryRef,
  { confirmed, key, by }: { confirmed: boolean; key: string; by?: string | undefined },
  now: number,
): Acted => {
  const found = find(sql, ref);
  if (!found) return { refusal: NOT_FOUND };
  const { webhook, delivery } = found;
  if (delivery.action === "fetch")
    return refuse("not_retryable", "A fetch sends nothing. To make its deliveries once more, replay the webhook.");
  if (
    delivery.state !== "done" &&
    delivery.state !== "failed" &&
    delivery.state !== "undecided" &&
    !isPassedOver(delivery)
  )
    return refuse(
      "not_retryable",
      `Only a done, failed or undecided delivery, or one that was too old or not made by the stored state, can be sent again; ${stateOf(delivery)}.`,
    );
  const refusal = whyNeither(sql, webhook, ref, now);
  if (refusal) return { refusal };
  if (!confirmed) return refuse("confirmation_needed", warningOf(delivery));
  note(delivery, "send again", now, by, delivery.key);
  revive(delivery, now);
  delete delivery.unknownSince;
  delivery.key = key;
  reopenDeliveries(sql, webhook);
  return { delivery };
};

const warningOf = (delivery: Delivery): string => {
  const attempts = delivery.attempts.length === 1 ? "1 attempt" : `${delivery.attempts.length} attempts`;
  const known =
    delivery.state === "done"
      ? "The delivery is done, so this makes it a second time."
      : delivery.unknownSince !== undefined
        ? `The outcome of the attempt at ${timeOf(delivery.unknownSince)} is unknown, so this may make it a second time.`
        : delivery.attempts.length === 0
          ? "It was never sent before."
          : "The email service refused every attempt, so this would be the first one that succeeds.";
  return `This sends ${describeDelivery(delivery)} for ${whomOf(delivery)} again. With the new key, the email service does not recognize it as the same delivery. ${attempts} so far: ${whyDelivery(delivery, undefined)} ${known} To send it, add {"confirm": true}.`;
};

/** Adds an operator's action to a delivery's history. */
export const note = (delivery: Delivery, act: Act["act"], now: number, by?: string, key?: string): void => {
  const { state, message } = delivery;
  const done: Act = { act, at: now, state };
  if (by !== undefined) done.by = by;
  if (message !== undefined) done.message = message;
  if (key !== undefined) {
    done.key = key;
    if (delivery.unknownSince !== undefined) done.unknownSince = delivery.unknownSince;
  }
  delivery.acts = [...(delivery.acts ?? []), done];
};

/** An operator asked for it, so neither its age nor the stored state matters. */
const revive = (delivery: Delivery, now: number): void => {
  Object.assign(delivery, { state: "waiting", due: now });
  if ("notAfter" in delivery) delete delivery.notAfter;
  if (delivery.former) delete delivery.former.waits;
  for (const name of [
    "ifStored",
    "onlyWithoutOther",
    "message",
    "settledAt",
    "refusals",
    "result",
    "sentWith",
    "only",
    "exists",
  ] as const)
    delete delivery[name];
};

const stateOf = (delivery: Delivery): string =>
  `this delivery is ${isOpen(delivery) ? "already waiting" : delivery.state}`;
