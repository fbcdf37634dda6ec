import { ERASED } from "../../lib/names/finder.ts";
import { fullJitter } from "../../lib/util/jitter.ts";
import { personOf } from "../identity/identity-rows.ts";
import { personOfContact } from "../identity/resolve-person.ts";
import { type Restated, restatements } from "../identity/restated.ts";
import { saveState } from "../identity/state.ts";
import {
  current,
  type Known,
  merged,
  plannedSubscriptions,
  readKnown,
  type Subscriptions,
} from "../identity/subscriptions.ts";
import { noteLate } from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { readDeliveries } from "../journal/read.ts";
import { reopenDeliveries, saveDeliveries } from "../journal/write.ts";
import { isKeyed } from "../model/delivery-deadlines.ts";
import { isOpen, waitingSince, wasErased, webhookIdOf, withAttempt } from "../model/delivery-state.ts";
import type { Attempt, Delivery, DeliveryRef } from "../model/journal-types.ts";
import type { Outcome } from "../model/outcome.ts";
import { reasons } from "../model/reasons.ts";
import type { QueueItem } from "../queue/person-queues.ts";
import { mergerAfter, startAgain } from "./move-former.ts";
import { repeatOf } from "./repeat-update.ts";
import type { ServiceRequest } from "./service-request.ts";
import { decideBeside, showPlan } from "./stored-conditions.ts";

export type Settled = DeliveryRef & { source: string; delivery: Delivery };

export type Settlement = {
  outcome: Outcome;
  request: ServiceRequest;
  /** The first delivery is the one that was due. */
  deliveries: readonly Pick<QueueItem, "seq" | "index" | "person" | "contact" | "attempts">[];
  /** Due time of the person's last repeated delivery, Unix ms; 0 if none waits. */
  repeatsAt: number;
  /** Unix ms. */
  startedAt: number;
  /** Milliseconds until the response. */
  ms: number;
  /** Unix ms. */
  now: number;
  /** 0 ≤ random < 1, for the jitter. */
  random: number;
  /** Unix ms; set if the outcome interrupted delivery. */
  resumesAt: number;
};

/** Milliseconds, doubled with each refusal in a row. */
const YIELD = 100;
const MAX_YIELD = 300_000;

/**
 * Saves an attempt's outcome.
 *
 * @returns saved deliveries; `added`: repeats for later; `split`: true if joined deliveries must be sent alone
 */
export const settle = (
  sql: SqlStorage,
  settlement: Settlement,
): { settled: Settled[]; added: Settled[]; split: boolean } => {
  const { outcome, request, deliveries, now } = settlement;
  let split = false;
  let erased = false;
  const settled: Settled[] = [];
  const added: Settled[] = [];
  const lead = deliveries[0] && webhookIdOf(deliveries[0].seq);
  const advance = decider(sql, request, outcome, now);
  for (const [position, item] of deliveries.entries()) {
    const { seq, index } = item;
    if (position > 0 && outcome.kind === "unknown") settled.push(...advanceJoined(sql, item, advance));
    if (position > 0 && outcome.kind !== "done") continue;
    const webhook = readDeliveries(sql, seq);
    const delivery = webhook?.deliveries[index];
    if (!webhook || !delivery) continue;
    const { source } = webhook;
    if (delivery.state === "waiting") {
      // One bad update fails the whole joined request; the others may be good.
      split = deliveries.length > 1 && outcome.kind === "failed";
      const before = { ...delivery };
      const isConflict = !split && outcome.kind === "failed" && outcome.conflict === true && request.both === true;
      const merger = isConflict && !delivery.removes && mergerAfter(sql, webhook, request.to ?? {}, now);
      record(delivery, settlement, { split, merges: Boolean(merger) });
      if (merger) added.push({ seq, index: webhook.deliveries.push(merger) - 1, source, delivery: merger });
      const beside = advance(webhook, delivery);
      if (position > 0 && lead !== undefined) delivery.sentWith = lead;
      const repeat = repeatOf(sql, item, before, delivery, settlement);
      if (repeat) added.push({ seq, index: webhook.deliveries.push(repeat) - 1, source, delivery: repeat });
      const saved = saveDeliveries(sql, webhook);
      for (const one of [index, ...beside])
        settled.push({ seq, index: one, source, delivery: saved[one] ?? (webhook.deliveries[one] as Delivery) });
    } else if (wasErased(delivery)) {
      erased ||= Object.values(delivery.contact).includes(ERASED);
      recordErased(delivery, settlement);
      settled.push({ seq, index, source, delivery: saveDeliveries(sql, webhook)[index] ?? delivery });
    } else {
      // An operator settled the delivery during the attempt: that decision stays.
      settled.push({ seq, index, source, delivery });
    }
  }
  if (outcome.kind === "unknown" && !request.asks) added.push(...noteRequest(sql, settlement, settled[0]?.delivery));
  // An erased person gets no new watermarks.
  const isWhole = outcome.kind === "done" && !settled.some(({ delivery }) => isOpen(delivery));
  if (isWhole && request.person !== undefined && !erased) {
    // A link may have joined the person to another one meanwhile.
    const { written, subscriptions = {}, customers = {} } = request;
    const person = personOf(sql, request.person);
    const restated = saveState(sql, person, { written, subscriptions, customers }, now, deliveries);
    added.push(...addRestatements(sql, deliveries[0], restated, now));
  }
  return { settled, added, split };
};

type Advance = (webhook: WebhookDeliveries, delivery: Delivery) => number[];

/** Returns a function that decides the deliveries beside each update, in order: its state is stored now. */
const decider = (sql: SqlStorage, { person }: ServiceRequest, { kind }: Outcome, now: number): Advance => {
  let all: Subscriptions | undefined;
  return (webhook, delivery) => {
    if ((kind !== "done" && kind !== "unknown") || delivery.action !== "contact") return [];
    if (!delivery.subscription || !person) return [];
    const known = withMoved(sql, all ?? currentOf(readKnown(sql, personOf(sql, person))), delivery);
    const watermark = [webhook.occurredAt, webhook.rank] as const;
    all = merged(known, plannedSubscriptions(delivery, watermark));
    showPlan(known, watermark, delivery);
    return decideBeside(known, webhook, delivery, now);
  };
};

/** The customer may have moved while the request was in flight, and taken the state of its subscriptions along. */
const withMoved = (sql: SqlStorage, known: Subscriptions, { subscription }: Delivery): Subscriptions => {
  const { id = "", customer } = subscription ?? {};
  const home = customer === undefined || known[id] ? undefined : personOfContact(sql, { ref: customer });
  return home === undefined ? known : merged(currentOf(readKnown(sql, home)), known);
};

/** The state of an update that may have arrived is stored, though only the first delivery has the attempt. */
const advanceJoined = (sql: SqlStorage, { seq, index }: DeliveryRef, advance: Advance): Settled[] => {
  const webhook = readDeliveries(sql, seq);
  const delivery = webhook?.deliveries[index];
  if (!webhook?.deliveries.some(({ ifStored, byPlan }) => ifStored || byPlan) || !delivery) return [];
  const beside = advance(webhook, delivery);
  const saved = saveDeliveries(sql, webhook);
  const { source } = webhook;
  return beside.flatMap((one) => (saved[one] ? [{ seq, index: one, source, delivery: saved[one] }] : []));
};

const currentOf = ({ subscriptions, watermarks }: Known): Subscriptions => current(subscriptions, watermarks);

/** A customer moved while the request was in flight. Rare, so the webhook's row is written once more. */
const addRestatements = (
  sql: SqlStorage,
  lead: DeliveryRef | undefined,
  restated: readonly Restated[],
  now: number,
): Settled[] => {
  const webhook = lead && restated.length > 0 ? readDeliveries(sql, lead.seq) : undefined;
  if (!webhook) return [];
  const { seq, source, deliveries } = webhook;
  const planned = restatements(restated, [source, webhook.eventId, deliveries.length]);
  const added = planned.map((one) => waitingSince(one, now));
  const first = deliveries.length;
  reopenDeliveries(sql, { seq, deliveries: [...deliveries, ...added] });
  return added.map((delivery, n) => ({ seq, index: first + n, source, delivery }));
};

/**
 * A key makes a late arrival harmless, unless the person was erased. Values that may have arrived are stored, so that
 * they are cleared when their customer moves.
 */
const noteRequest = (
  sql: SqlStorage,
  { request, deliveries, startedAt, now }: Settlement,
  delivery: Delivery | undefined,
): Settled[] => {
  const last = deliveries.at(-1);
  if (!delivery || !last || (isKeyed(delivery) && !wasErased(delivery))) return [];
  // A link may have moved the delivery to another person, and mail has no order per person.
  const asked = request.person ?? last.person;
  const person = asked === undefined ? personOfContact(sql, last.contact) : personOf(sql, asked);
  if (person === undefined) return [];
  noteLate(sql, person, last, startedAt, now);
  const { subscriptions = {}, customers = {} } = request;
  if (wasErased(delivery) || Object.keys({ ...subscriptions, ...customers }).length === 0) return [];
  return addRestatements(
    sql,
    deliveries[0],
    saveState(sql, person, { written: {}, subscriptions, customers }, now),
    now,
  );
};

/** The message is left out: it may name the person. */
const recordErased = (delivery: Delivery, { outcome, startedAt, ms, now }: Settlement): void => {
  delivery.attemptCount = (delivery.attemptCount ?? 0) + 1;
  const { status } = outcome;
  delivery.attempts.push({ at: startedAt, ms, ...(status === undefined ? {} : { status }) });
  if (outcome.kind === "unknown") delivery.unknownSince ??= startedAt;
  if (outcome.kind !== "done") return;
  Object.assign(delivery, { state: "done", settledAt: now });
  delete delivery.message;
};

const NO_ATTEMPT: ReadonlySet<Outcome["kind"]> = new Set(["rate_limited", "key_refused", "deferred", "unavailable"]);

const record = (
  delivery: Delivery,
  settlement: Settlement,
  { split, merges }: { split: boolean; merges: boolean },
): void => {
  const { outcome, request, deliveries, startedAt, ms, now, random, resumesAt } = settlement;
  delivery.attemptCount = (delivery.attemptCount ?? 0) + 1;
  const attempt: Attempt = { at: startedAt, ms };
  if (outcome.status !== undefined) attempt.status = outcome.status;
  if (outcome.message !== undefined) attempt.message = outcome.message;
  if (outcome.message === undefined) delete delivery.message;
  else delivery.message = outcome.message;
  if (NO_ATTEMPT.has(outcome.kind)) {
    // The email service did nothing. The delivery waits behind the others, but not after a block.
    const { count, since } = delivery.refusals ?? { count: 0, since: now };
    delivery.refusals = { count: count + 1, since };
    delivery.due =
      outcome.kind === "key_refused" ? now : resumesAt + Math.min(MAX_YIELD, YIELD * 2 ** Math.min(count, 20));
    return;
  }
  delete delivery.refusals;
  const { email, userId } = delivery.contact;
  if (request.to && !email && !userId && (outcome.kind === "done" || outcome.kind === "unknown"))
    delivery.sentTo = request.to;

  const isRepeated = refusedBefore(delivery) !== undefined;
  delivery.attempts = withAttempt(delivery, attempt);
  if (split) {
    attempt.message = `Refused together with ${deliveries.length - 1} more updates; each is sent alone now: ${outcome.message}`;
    delivery.due = now;
  } else if (outcome.kind === "failed" && outcome.conflict && request.both) {
    // A refused delivery never used its key, so the same key is sent again.
    delivery.only = "userId";
    delivery.due = now;
    attempt.message = `${outcome.message.replace(/\.?$/, ".")} ${merges ? reasons.becomeOne : reasons.sentAlone}`;
  } else if (outcome.kind === "failed" && outcome.conflict && delivery.former?.free) {
    attempt.message = `${outcome.message.replace(/\.?$/, ".")} ${startAgain(delivery.former, now)}`;
    delivery.due = delivery.former.waits?.until ?? now;
  } else if (outcome.kind === "failed" && outcome.keyAccepted && !isRepeated) {
    // A first refusal of the key may be temporary.
    attempt.wait = fullJitter(1, random);
    delivery.due = now + attempt.wait;
    attempt.message = `${outcome.message.replace(/\.?$/, ".")} ${reasons.keyAccepted}`;
  } else if (outcome.kind === "done" && goesOn(delivery, outcome, request, { attempt, now })) {
    delivery.due = delivery.former?.waits?.until ?? now;
  } else if (outcome.kind === "unknown") {
    delivery.unknownSince ??= startedAt;
    // Interrupted attempts have no `ms` and do not lengthen the wait.
    const jitter = fullJitter(delivery.attempts.filter((one) => one.ms !== undefined).length, random);
    attempt.wait = Math.max(jitter, outcome.wait ?? 0);
    delivery.due = now + attempt.wait;
  } else {
    if (outcome.kind === "done" && outcome.result !== undefined) delivery.result = outcome.result;
    if (outcome.kind === "done" && showsOther(request, delivery))
      delivery.message = `${reasons.showsOther} ${request.shows}.`;
    delivery.state = outcome.kind === "done" ? "done" : "failed";
    delivery.settledAt = now;
  }
};

/** Returns the attempt refused with 401 or 403 although the key is accepted. */
export const refusedBefore = ({ attempts }: Pick<Delivery, "attempts">): Attempt | undefined =>
  attempts.find(({ message }) => message?.endsWith(reasons.keyAccepted));

const goesOn = (
  delivery: Delivery,
  outcome: Outcome & { kind: "done" },
  { next }: ServiceRequest,
  { attempt, now }: { attempt: Attempt; now: number },
): boolean => {
  const note = next?.(delivery, outcome.found?.[0], now);
  if (note !== undefined) attempt.message = note;
  return note !== undefined;
};

const showsOther = ({ shows }: ServiceRequest, delivery: Delivery): boolean =>
  delivery.action === "contact" &&
  delivery.subscription !== undefined &&
  delivery.subscription.properties.length > 0 &&
  shows !== undefined &&
  shows !== delivery.subscription.id;
