import type { Contact } from "../../rules/types.ts";
import { type DeliveryRef, type Lane, lanes } from "../model/journal-types.ts";
import type { Outcome } from "../model/outcome.ts";
import { createFairLane, enter, type FairLane } from "./fair-lane.ts";
import { createHeap, type Heap, keepOnly, peek, pop, push } from "./heap.ts";
import { countDelivery, countOpen, countUnread, createOpenDeliveries, type OpenDeliveries } from "./quota.ts";

/** An open delivery in memory. */
export type QueueItem = {
  seq: number;
  index: number;
  /** Order in microseconds, if not `seq`. A repeat, or one that waits for others, uses its due time. */
  order?: number | undefined;
  /** True for a repeat. */
  repeats?: boolean | undefined;
  source: string;
  lane: Lane;
  /** True for a contact update, which can be joined. */
  update: boolean;
  /** True for mail, which waits for no other delivery unless `ordered`. */
  mail: boolean;
  /** True for mail with a condition on stored state. */
  ordered?: boolean | undefined;
  /** Undefined for mail that is not ordered. */
  person: string | undefined;
  contact: Contact;
  /** A user id alone, until another webhook brings its address. */
  waitsForTie?: true | undefined;
  /** Keys that may change the person or wait; see `personAround`. */
  keys: readonly string[];
  /** True while it waits for an identity link. */
  waits: boolean;
  /** True for an update refused with others. */
  alone: boolean;
  /** Attempts with an outcome (`attemptCount`). */
  attempts: number;
  /** Consecutive failures of the bridge. */
  failures: number;
  /** Unix ms. */
  due: number;
  inFlight: boolean;
  /** True while part of another request. */
  joined: boolean;
  gatewayRequest?: GatewayRequest;
  personQueue?: PersonQueue | undefined;
  /** The queue of the person of its request in flight, if links moved the delivery since. */
  sentFrom?: PersonQueue | undefined;
};

export type GatewayRequest = {
  run(): Promise<Outcome>;
  /** Milliseconds to wait for a separate rate limit. */
  notBefore?: ((now: number) => number) | undefined;
};

/** An open fetch in memory. Unix ms; after `until` it is given up. */
export type FetchItem = DeliveryRef & { source: string; due: number; until: number };

type PersonQueue = {
  person: string | undefined;
  items: QueueItem[];
  inFlight: number;
  /** The highest lane, so that a low head does not delay important deliveries. */
  lane: Lane;
  /** Its place in a heap. Other entries of this queue are out of date. */
  entry: Entry | undefined;
};

/** A heap entry. `due` is copied, because a heap's order must not change. */
export type Entry = { personQueue: PersonQueue; head: QueueItem; lane: Lane; due: number };

/** Open deliveries. Only a person's head is in `ready` or `later`. */
export type Queue = {
  items: Map<string, QueueItem>;
  /** Includes webhooks still being committed. */
  open: OpenDeliveries;
  byPerson: Map<string, PersonQueue>;
  /** A set for each key would take a tenth of the memory. */
  byKey: Map<string, QueueItem | Set<QueueItem>>;
  ready: ReadonlyMap<Lane, FairLane<Entry>>;
  later: Heap<Entry>;
  /** Open fetches of thin webhooks. */
  fetches: Map<string, FetchItem>;
  pausedSources: Set<string>;
  pausedQueues: Set<PersonQueue>;
  inFlight: Set<QueueItem>;
  /** Consecutive starts in other lanes, per lane with due deliveries. */
  passedOver: Map<Lane, number>;
};

/** Returns the order of acceptance in microseconds. */
export const orderOf = ({ order, seq }: Pick<QueueItem, "order" | "seq">): number => order ?? seq;

export const inOrder = (a: QueueItem, b: QueueItem): number =>
  orderOf(a) - orderOf(b) || a.seq - b.seq || a.index - b.index;

const isValid = (entry: Entry): boolean => entry.personQueue.entry === entry;

const FAIR = {
  order: (a: Entry, b: Entry): number => inOrder(a.head, b.head),
  sourceOf: ({ head }: Entry): string => head.source,
  isValid,
};

export const createQueue = (): Queue => ({
  items: new Map(),
  open: createOpenDeliveries(),
  byPerson: new Map(),
  byKey: new Map(),
  ready: new Map(lanes.map((lane) => [lane, createFairLane(FAIR)])),
  later: createHeap((a, b) => a.due - b.due || inOrder(a.head, b.head)),
  fetches: new Map(),
  pausedSources: new Set(),
  pausedQueues: new Set(),
  inFlight: new Set(),
  passedOver: new Map(),
});

export const keyOf = (item: Pick<QueueItem, "seq" | "index">): string => `${item.seq}.${item.index}`;

/** Changes the count of webhooks that are in the journal, but not yet in the queue. */
export const changeUnread = ({ open }: Queue, by: number): void => countUnread(open, by);

export const enqueue = (queue: Queue, item: QueueItem): void => {
  queue.items.set(keyOf(item), item);
  countDelivery(queue.open, item, 1);
  if (takesSlot(item)) queue.inFlight.add(item);
  index(queue, item);
  addToPersonQueue(queue, item);
};

export const remove = (queue: Queue, item: QueueItem): void => {
  if (!queue.items.delete(keyOf(item))) return;
  countDelivery(queue.open, item, -1);
  queue.inFlight.delete(item);
  unindex(queue, item);
  removeFromPersonQueue(queue, item);
  leave(queue, item);
};

/** Queued items are changed only through this function. */
export const change = (queue: Queue, item: QueueItem, changes: Partial<QueueItem>): void => {
  const moves = ("person" in changes && changes.person !== item.person) || "order" in changes;
  const wasInFlight = Number(item.inFlight);
  if (moves && item.inFlight && changes.inFlight !== false) stay(item);
  if (moves) removeFromPersonQueue(queue, item);
  if (changes.keys) unindex(queue, item);
  const waited = Number(item.waits);
  Object.assign(item, changes);
  const forIdentity = Number(item.waits) - waited;
  if (forIdentity !== 0 && queue.items.has(keyOf(item))) countOpen(queue.open, item.source, { forIdentity });
  if (changes.keys) index(queue, item);
  if (takesSlot(item)) queue.inFlight.add(item);
  else queue.inFlight.delete(item);
  const { personQueue } = item;
  if (moves) addToPersonQueue(queue, item);
  else if (personQueue) {
    personQueue.inFlight += Number(item.inFlight) - wasInFlight;
    schedule(queue, personQueue);
  }
  if (!item.inFlight) leave(queue, item);
};

/** Lets the person of a request in flight wait for it, though its delivery moves to another person. */
const stay = (item: QueueItem): void => {
  const { personQueue } = item;
  if (!personQueue || item.sentFrom) return;
  item.sentFrom = personQueue;
  personQueue.inFlight++;
};

const leave = (queue: Queue, item: QueueItem): void => {
  const { sentFrom } = item;
  if (!sentFrom) return;
  item.sentFrom = undefined;
  sentFrom.inFlight--;
  dropEmpty(queue, sentFrom);
  schedule(queue, sentFrom);
};

const dropEmpty = ({ byPerson }: Queue, { person, items, inFlight }: PersonQueue): void => {
  if (items.length === 0 && inFlight === 0 && person !== undefined) byPerson.delete(person);
};

/**
 * Moves a delivery that asks for the person's other subscriptions behind the due updates that arrived meanwhile.
 *
 * @returns true if it moved
 */
export const yieldToUpdates = (queue: Queue, item: QueueItem, now: number): boolean => {
  if (item.order === undefined || item.repeats) return false;
  const last = item.personQueue?.items.findLast(
    ({ update, order, waits, due }) => update && order === undefined && !waits && due <= now,
  );
  if (!last || inOrder(last, item) < 0) return false;
  change(queue, item, { order: orderOf(last) + 1 });
  return true;
};

const takesSlot = ({ inFlight, joined }: QueueItem): boolean => inFlight && !joined;

const index = ({ byKey }: Queue, item: QueueItem): void => {
  for (const key of item.keys) {
    const known = byKey.get(key);
    if (known instanceof Set) known.add(item);
    else byKey.set(key, known ? new Set([known, item]) : item);
  }
};

const unindex = ({ byKey }: Queue, item: QueueItem): void => {
  for (const key of item.keys) {
    const known = byKey.get(key);
    if (known instanceof Set) known.delete(item);
    if (known === item || (known instanceof Set && known.size === 0)) byKey.delete(key);
  }
};

/** Finds deliveries by identity keys, in order. */
export const withKeys = ({ byKey }: Queue, keys: ReadonlySet<string>): QueueItem[] => {
  const found = [...keys].flatMap((key) => {
    const known = byKey.get(key);
    return known instanceof Set ? [...known] : (known ?? []);
  });
  return [...new Set(found)].sort(inOrder);
};

const addToPersonQueue = (queue: Queue, item: QueueItem): void => {
  const known = item.person === undefined ? undefined : queue.byPerson.get(item.person);
  const personQueue = known ?? { person: item.person, items: [item], inFlight: 0, lane: item.lane, entry: undefined };
  if (known) {
    let at = known.items.length;
    while (at > 0 && inOrder(known.items[at - 1] as QueueItem, item) > 0) at--;
    known.items.splice(at, 0, item);
  } else if (item.person !== undefined) queue.byPerson.set(item.person, personQueue);
  personQueue.inFlight += Number(item.inFlight);
  if (isHigher(item.lane, personQueue.lane)) personQueue.lane = item.lane;
  item.personQueue = personQueue;
  schedule(queue, personQueue);
};

const isHigher = (a: Lane, b: Lane): boolean => lanes.indexOf(a) < lanes.indexOf(b);

const highestLane = (items: readonly QueueItem[], top: Lane): Lane => {
  let highest: Lane = "backfill";
  for (const { lane } of items) {
    if (lane === top) return top;
    if (isHigher(lane, highest)) highest = lane;
  }
  return highest;
};

const removeFromPersonQueue = (queue: Queue, item: QueueItem): void => {
  const { personQueue } = item;
  if (!personQueue) return;
  item.personQueue = undefined;
  const at = personQueue.items.indexOf(item);
  if (at === 0) personQueue.items.shift();
  else personQueue.items.splice(at, 1);
  personQueue.inFlight -= Number(item.inFlight);
  if (item.lane === personQueue.lane) personQueue.lane = highestLane(personQueue.items, item.lane);
  dropEmpty(queue, personQueue);
  schedule(queue, personQueue);
};

const schedule = (queue: Queue, personQueue: PersonQueue): void => {
  queue.pausedQueues.delete(personQueue);
  const [head] = personQueue.items;
  const { entry, lane } = personQueue;
  const isSame = entry?.head === head && entry?.lane === lane && entry?.due === head?.due;
  if (isSame && personQueue.inFlight === 0 && head && !isPaused(queue, head)) return;
  personQueue.entry = undefined;
  // After a link joined two persons, the next delivery waits for both in flight.
  if (!head || personQueue.inFlight > 0) return;
  if (isPaused(queue, head)) {
    queue.pausedQueues.add(personQueue);
    return;
  }
  if (queue.later.list.length > 4 * queue.items.size + 1_000) keepOnly(queue.later, isValid);
  personQueue.entry = { personQueue, head, lane, due: head.due };
  push(queue.later, personQueue.entry);
};

export const first = (heap: Heap<Entry>): Entry | undefined => {
  for (let top = peek(heap); top; top = peek(heap)) {
    if (isValid(top)) return top;
    pop(heap);
  }
  return undefined;
};

export const moveDue = (queue: Queue, now: number): void => {
  for (let top = first(queue.later); top && top.due <= now; top = first(queue.later)) {
    pop(queue.later);
    enter(queue.ready.get(top.lane) as FairLane<Entry>, top);
  }
};

export const EVERY = "*";

export const isPaused = ({ pausedSources }: Queue, { source }: Pick<QueueItem, "source">): boolean =>
  pausedSources.has(source) || (source !== "" && pausedSources.has(EVERY));

/** Pauses exactly these sources, and resumes all others. */
export const setPaused = (queue: Queue, sources: Iterable<string>): void => {
  queue.pausedSources = new Set(sources);
  for (const head of queue.items.values()) {
    const { personQueue } = head;
    if (personQueue?.items[0] !== head) continue;
    if (isPaused(queue, head) !== queue.pausedQueues.has(personQueue)) schedule(queue, personQueue);
  }
};

export const following = (item: QueueItem, count: number): readonly QueueItem[] => {
  const items = item.personQueue?.items ?? [];
  const after = items.indexOf(item) + 1;
  return items.slice(after, after + count);
};
