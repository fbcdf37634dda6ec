import type { Contact } from "../../rules/types.ts";
import type { Outcome } from "../model/outcome.ts";
import { type Lane, lanes } from "../model/types.ts";
import { createHeap, type Heap, keepOnly, peek, pop, push } from "./heap.ts";

/** An open call in memory. Everything else about it is in the journal. */
export type QueueItem = {
  seq: number;
  index: number;
  source: string;
  lane: Lane;
  /** True for a contact update, which may be sent in one request with updates right behind it. */
  update: boolean;
  /** True for mail, which never waits for other calls of its person. */
  mail: boolean;
  /** The person, whose calls are sent one after the other; undefined for mail. */
  person: string | undefined;
  /** The contact as the rule gave it. */
  contact: Contact;
  /** As in the journal: a user id alone, whose address another webhook will tell. */
  waitsForTie?: true;
  /** All identity keys of the contact; see `keysAround`. */
  keys: readonly string[];
  /** True while it waits for an identity link. */
  waits: boolean;
  /** True for an update that was refused together with others: it is sent alone. */
  alone: boolean;
  /** Attempts with an outcome, as in the journal (`tries`). */
  attempts: number;
  /** Consecutive refusals about the rate limit or the key, as in the journal. */
  refused?: number;
  /** Consecutive failures of the bridge itself on this call. */
  failures: number;
  /** Unix ms before which it is not sent. */
  due: number;
  inFlight: boolean;
  /** True while it is part of another call's request. */
  joined: boolean;
  /** Set for a gateway request, which is not a call of the journal. */
  gatewayRequest?: GatewayRequest;
};

/** A /v1 request of the team's own code. */
export type GatewayRequest = {
  run(): Promise<Outcome>;
  /** Ms it still has to wait for a rate limit of its own; at 0 it is sent. */
  notBefore?: ((now: number) => number) | undefined;
};

/** The calls of one person in order of acceptance; or a single call that is not ordered. */
type PersonQueue = { items: QueueItem[]; inFlight: number; counts: Map<Lane, number>; version: number };

/**
 * A person's queue in a heap. It is valid while the version is the current one. `due` is a copy of the head's, because a
 * heap's order must not change while an entry is in it.
 */
export type Entry = { personQueue: PersonQueue; version: number; head: QueueItem; lane: Lane; due: number };

/**
 * The open calls. A person's queue is represented by its head only: in `ready` by lane, or in `later` by due time. So
 * finding the next call does not look at the calls behind a head.
 */
export type Queue = {
  items: Map<string, QueueItem>;
  byPerson: Map<string, PersonQueue>;
  queueOf: Map<QueueItem, PersonQueue>;
  /** Calls by their identity keys. */
  byKey: Map<string, Set<QueueItem>>;
  ready: ReadonlyMap<Lane, Heap<Entry>>;
  later: Heap<Entry>;
  /** Paused sources: their calls keep their positions. */
  pausedSources: Set<string>;
  /** Persons' queues whose head is of a paused source. */
  pausedQueues: Set<PersonQueue>;
  inFlight: Set<QueueItem>;
  /** For each lane with a call that is due: how many consecutive starts were in other lanes. */
  passedOver: Map<Lane, number>;
};

export const inOrder = (a: QueueItem, b: QueueItem): number => a.seq - b.seq || a.index - b.index;

export const createQueue = (): Queue => ({
  items: new Map(),
  byPerson: new Map(),
  queueOf: new Map(),
  byKey: new Map(),
  ready: new Map(lanes.map((lane) => [lane, createHeap<Entry>((a, b) => inOrder(a.head, b.head))])),
  later: createHeap((a, b) => a.due - b.due || inOrder(a.head, b.head)),
  pausedSources: new Set(),
  pausedQueues: new Set(),
  inFlight: new Set(),
  passedOver: new Map(),
});

export const keyOf = (item: Pick<QueueItem, "seq" | "index">): string => `${item.seq}.${item.index}`;

/** Adds a call at its position in the order of acceptance. */
export const enqueue = (queue: Queue, item: QueueItem): void => {
  queue.items.set(keyOf(item), item);
  if (takesSlot(item)) queue.inFlight.add(item);
  index(queue, item);
  addToPersonQueue(queue, item);
};

/** Removes a call. */
export const remove = (queue: Queue, item: QueueItem): void => {
  queue.items.delete(keyOf(item));
  queue.inFlight.delete(item);
  unindex(queue, item);
  removeFromPersonQueue(queue, item);
};

/** Changes an item and its position. Items in the queue are changed only through this function. */
export const change = (queue: Queue, item: QueueItem, changes: Partial<QueueItem>): void => {
  const moves = "person" in changes && changes.person !== item.person;
  const wasInFlight = Number(item.inFlight);
  if (moves) removeFromPersonQueue(queue, item);
  if (changes.keys) unindex(queue, item);
  Object.assign(item, changes);
  if (changes.keys) index(queue, item);
  if (takesSlot(item)) queue.inFlight.add(item);
  else queue.inFlight.delete(item);
  const personQueue = queue.queueOf.get(item);
  if (moves) addToPersonQueue(queue, item);
  else if (personQueue) {
    personQueue.inFlight += Number(item.inFlight) - wasInFlight;
    schedule(queue, personQueue);
  }
};

const takesSlot = ({ inFlight, joined }: QueueItem): boolean => inFlight && !joined;

const index = ({ byKey }: Queue, item: QueueItem): void => {
  for (const key of item.keys) {
    const items = byKey.get(key);
    if (items) items.add(item);
    else byKey.set(key, new Set([item]));
  }
};

const unindex = ({ byKey }: Queue, item: QueueItem): void => {
  for (const key of item.keys) {
    const items = byKey.get(key);
    items?.delete(item);
    if (items?.size === 0) byKey.delete(key);
  }
};

/** Calls with one of these identity keys, in order of acceptance. */
export const withKeys = ({ byKey }: Queue, keys: ReadonlySet<string>): QueueItem[] =>
  [...new Set([...keys].flatMap((key) => [...(byKey.get(key) ?? [])]))].sort(inOrder);

const addToPersonQueue = (queue: Queue, item: QueueItem): void => {
  const personQueue = (item.person === undefined ? undefined : queue.byPerson.get(item.person)) ?? {
    items: [],
    inFlight: 0,
    counts: new Map(),
    version: 0,
  };
  if (item.person !== undefined) queue.byPerson.set(item.person, personQueue);
  let at = personQueue.items.length;
  while (at > 0 && inOrder(personQueue.items[at - 1] as QueueItem, item) > 0) at--;
  personQueue.items.splice(at, 0, item);
  personQueue.inFlight += Number(item.inFlight);
  personQueue.counts.set(item.lane, (personQueue.counts.get(item.lane) ?? 0) + 1);
  queue.queueOf.set(item, personQueue);
  schedule(queue, personQueue);
};

const removeFromPersonQueue = (queue: Queue, item: QueueItem): void => {
  const personQueue = queue.queueOf.get(item);
  if (!personQueue) return;
  queue.queueOf.delete(item);
  const at = personQueue.items.indexOf(item);
  if (at === 0) personQueue.items.shift();
  else personQueue.items.splice(at, 1);
  personQueue.inFlight -= Number(item.inFlight);
  personQueue.counts.set(item.lane, (personQueue.counts.get(item.lane) ?? 1) - 1);
  if (personQueue.items.length === 0 && item.person !== undefined && queue.byPerson.get(item.person) === personQueue)
    queue.byPerson.delete(item.person);
  schedule(queue, personQueue);
};

/** Enters a person's queue into the heap where its head belongs now. Its older entries become invalid. */
const schedule = (queue: Queue, personQueue: PersonQueue): void => {
  personQueue.version++;
  queue.pausedQueues.delete(personQueue);
  const [head] = personQueue.items;
  // Two calls may be in flight when a link has just joined two persons: the next call waits for both.
  if (!head || personQueue.inFlight > 0) return;
  if (isPaused(queue, head)) {
    queue.pausedQueues.add(personQueue);
    return;
  }
  // An invalid entry is removed when it reaches the top. When many lie deeper, all are removed at once.
  if (queue.later.list.length > 4 * queue.queueOf.size + 1_000) keepOnly(queue.later, isValid);
  push(queue.later, { personQueue, version: personQueue.version, head, lane: highestLane(personQueue), due: head.due });
};

/** The highest lane of any call in a person's queue, so that a low-lane head does not delay an important call behind it. */
const highestLane = ({ counts }: PersonQueue): Lane => lanes.find((lane) => (counts.get(lane) ?? 0) > 0) ?? "backfill";

export const isValid = ({ personQueue, version }: Entry): boolean => personQueue.version === version;

/** The first valid entry of a heap. */
export const first = (heap: Heap<Entry>): Entry | undefined => {
  for (let top = peek(heap); top; top = peek(heap)) {
    if (isValid(top)) return top;
    pop(heap);
  }
  return undefined;
};

/** Moves the entries that are due now to `ready`. */
export const moveDue = (queue: Queue, now: number): void => {
  for (let top = first(queue.later); top && top.due <= now; top = first(queue.later)) {
    pop(queue.later);
    push(queue.ready.get(top.lane) as Heap<Entry>, top);
  }
};

/** The key for all sources. */
export const EVERY = "*";

/** True for a call of a paused source. A gateway request has no source and is never paused. */
export const isPaused = ({ pausedSources }: Queue, { source }: Pick<QueueItem, "source">): boolean =>
  pausedSources.has(source) || (source !== "" && pausedSources.has(EVERY));

/** Pauses the calls of exactly these sources, and resumes all others. */
export const setPaused = (queue: Queue, sources: Iterable<string>): void => {
  queue.pausedSources = new Set(sources);
  for (const personQueue of new Set(queue.queueOf.values())) {
    const [head] = personQueue.items;
    if (head && isPaused(queue, head) !== queue.pausedQueues.has(personQueue)) schedule(queue, personQueue);
  }
};

/** The calls right behind a call of the same person, in order. */
export const following = (queue: Queue, item: QueueItem, count: number): readonly QueueItem[] => {
  const items = queue.queueOf.get(item)?.items ?? [];
  const after = items.indexOf(item) + 1;
  return items.slice(after, after + count);
};
