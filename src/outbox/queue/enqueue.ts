import type { Contact } from "../../rules/types.ts";
import type { RowSource } from "../identity/identity-rows.ts";
import { addressOf, isResolved, personAround } from "../identity/resolve-person.ts";
import { isKnown } from "../identity/watermarks.ts";
import { IDENTITY_WAIT, OTHERS_WAIT, TIE_WAIT } from "../model/delivery-deadlines.ts";
import { acceptedAt, isOpen } from "../model/delivery-state.ts";
import type { Delivery, Lane } from "../model/journal-types.ts";
import { enqueueFetch } from "./fetches.ts";
import { change, enqueue, type GatewayRequest, keyOf, type Queue, type QueueItem, withKeys } from "./person-queues.ts";

type Position = Pick<QueueItem, "person" | "keys" | "waits" | "due">;
const NO_PERSON: Readonly<Position> = { person: undefined, keys: [], waits: false, due: 0 };

/** Returns the person of a delivery, and its identity wait. */
export const positionOf = (
  from: RowSource,
  {
    seq,
    mail,
    ordered,
    contact,
    attempts,
    waitsForTie,
  }: Pick<QueueItem, "seq" | "mail" | "ordered" | "contact" | "attempts" | "waitsForTie">,
): Position => {
  // Mail with an address needs no identity link, so no row is read.
  if (mail && !ordered && contact.email) return NO_PERSON;
  const unresolved = mail ? addressOf(from, contact) === undefined : !isResolved(from, contact);
  const { person, keys } = personAround(from, contact);
  const untied = waitsForTie === true && attempts === 0 && !isKnown(from, contact);
  return {
    person: mail && (!ordered || unresolved) ? undefined : person,
    keys,
    waits: unresolved || untied,
    due: unresolved ? acceptedAt(seq) + IDENTITY_WAIT : untied ? acceptedAt(seq) + TIE_WAIT : 0,
  };
};

export const enqueueDeliveries = (
  from: RowSource,
  queue: Queue,
  webhook: { seq: number; source: string; deliveries: readonly Delivery[] },
): void => {
  const shared: QueueItem[] = [];
  webhook.deliveries.forEach((delivery, index) => {
    // An operator may have queued a delivery of a webhook that is not read yet.
    if (delivery.action === "fetch") {
      if (isOpen(delivery)) enqueueFetch(queue, webhook, index, delivery);
    } else if (isOpen(delivery) && !queue.items.has(keyOf({ seq: webhook.seq, index })))
      shared.push(enqueueDelivery(from, queue, webhook, index, delivery, shared));
  });
};

/** Deliveries of a webhook are mostly about one person: they share its identifiers and keys, which saves memory. */
const sharedBy = (items: readonly QueueItem[], contact: Contact): Contact =>
  items.find(
    ({ contact: { email, userId, ref } }) =>
      email === contact.email && userId === contact.userId && ref === contact.ref,
  )?.contact ?? contact;

const sharedKeys = (items: readonly QueueItem[], keys: readonly string[]): readonly string[] =>
  items.find((item) => item.keys.length === keys.length && item.keys.every((key, n) => key === keys[n]))?.keys ?? keys;

const NEW = { alone: false, failures: 0, inFlight: false, joined: false, personQueue: undefined };

/** Returns the webhook's lane, else the action's. */
export const laneOf = (delivery: Pick<Delivery, "action" | "lane"> & { urgent?: boolean }): Lane => {
  if (delivery.lane) return delivery.lane;
  if (delivery.action === "transactional") return delivery.urgent ? "urgent" : "transactional";
  return delivery.action === "event" ? "event" : "contact";
};

export const enqueueDelivery = (
  from: RowSource,
  queue: Queue,
  { seq, source }: { seq: number; source: string },
  index: number,
  delivery: Delivery,
  beside: readonly QueueItem[] = [],
): QueueItem => {
  const contact = sharedBy(beside, delivery.contact);
  const { attemptCount: attempts = 0, waitsForTie, repeats, former, ifStored, onlyWithoutOther, byPlan } = delivery;
  const mail = delivery.action === "transactional";
  const ordered = (mail && Boolean(ifStored ?? onlyWithoutOther ?? byPlan)) || undefined;
  const { person, keys, waits, due } = positionOf(from, { seq, mail, ordered, contact, attempts, waitsForTie });
  const othersUntil = onlyWithoutOther === undefined ? undefined : acceptedAt(seq) + OTHERS_WAIT;
  const behindUntil = repeats?.at ?? former?.waits?.until ?? othersUntil;
  const item: QueueItem = {
    seq,
    index,
    order: behindUntil && behindUntil * 1000,
    repeats: repeats && true,
    source,
    lane: laneOf(delivery),
    update: delivery.action === "contact",
    mail,
    ordered,
    contact,
    waitsForTie,
    attempts,
    person,
    keys: sharedKeys(beside, keys),
    waits,
    // A 429 or refused key delayed all deliveries; the interruption is stored separately.
    due: Math.max(due, othersUntil ?? 0, delivery.refusals ? 0 : delivery.due),
    alone: false,
    failures: 0,
    inFlight: false,
    joined: false,
    personQueue: undefined,
  };
  enqueue(queue, item);
  return item;
};

/** Above any delivery's index, so that keys never collide. */
const FIRST_GATEWAY_INDEX = 1_000_000;

/**
 * @param seq microseconds, for the order
 * @param count unique number
 */
export const enqueueGatewayRequest = (
  queue: Queue,
  { lane, gatewayRequest, seq, count }: { lane: Lane; gatewayRequest: GatewayRequest; seq: number; count: number },
): QueueItem => {
  const item: QueueItem = {
    ...NEW,
    seq,
    index: FIRST_GATEWAY_INDEX + count,
    lane,
    gatewayRequest,
    source: "",
    update: false,
    mail: false,
    person: undefined,
    contact: {},
    keys: [],
    waits: false,
    attempts: 0,
    due: 0,
  };
  enqueue(queue, item);
  return item;
};

/**
 * Moves deliveries after link changes.
 *
 * @returns true if one no longer waits for a link
 */
export const relink = (from: RowSource, queue: Queue, changed: ReadonlySet<string>, now: number): boolean => {
  if (changed.size === 0) return false;
  let found = false;
  for (const item of withKeys(queue, changed)) {
    const { due: _, ...position } = positionOf(from, item);
    const isFound = item.waits && !position.waits;
    change(queue, item, { ...position, ...(isFound ? { due: Math.max(now, (item.order ?? 0) / 1000) } : {}) });
    found ||= isFound;
  }
  return found;
};
