import type { Contact } from "../../rules/types.ts";
import type { Outcome } from "../model/outcome.ts";
import { type Lane, lanes } from "../model/types.ts";
import { createHeap, type Heap, keepOnly, peek, pop, push } from "./heap.ts";

/** An undecided call in memory. Everything else about it is in the journal. */
export type QueueItem = {
  seq: number;
  index: number;
  source: string;
  lane: Lane;
  /** True for an update, which may leave together with those right behind it. */
  update: boolean;
  /** True for mail, which is not ordered behind a person's other calls, in whatever lane it goes. */
  mail: boolean;
  /** The person whose calls start one after the other; undefined for mail, which is not ordered. */
  person: string | undefined;
  /** Whom it is about, as the rule said. */
  contact: Contact;
  /** Keys that have a say in who that is; see `keysAround`. */
  keys: readonly string[];
  /** True while no webhook has told who that is. */
  waits: boolean;
  /** True for an update that was refused together with others: it goes alone. */
  alone: boolean;
  /** Tries that came to an outcome, as in the journal. */
  tries: number;
  /** Refusals in a row that were about the limit or the key, as in the journal. */
  refused?: number;
  /** How often in a row something of ours failed on it. */
  failures: number;
  due: number;
  inFlight: boolean;
  /** True while it is under way in the request of another, which has the place in flight. */
  joined: boolean;
  /** A request of somebody who waits for its answer, in place of a call of the journal. */
  gatewayRequest?: GatewayRequest;
};

/** A request that is not in the journal. */
export type GatewayRequest = {
  run(): Promise<Outcome>;
  /** Ms it still has to wait for a limit of its own; at 0 it leaves. */
  notBefore?: ((now: number) => number) | undefined;
};

/** The calls of one person in order of acceptance; or one call alone that is not ordered. */
type PersonQueue = { items: QueueItem[]; inFlight: number; counts: Map<Lane, number>; version: number };
/**
 * A personQueue's place among those that may start or wait; void once its version is another one. `due` is its head's when it
 * took the place: what a heap goes by must not change while it is in it.
 */
export type Entry = { personQueue: PersonQueue; version: number; head: QueueItem; lane: Lane; due: number };

/**
 * The undecided calls. A personQueue stands with its head only, in `ready` by lane or in `later` by when it falls due, so that
 * finding the next call does not look at the others.
 */
export type Queue = {
  items: Map<string, QueueItem>;
  byPerson: Map<string, PersonQueue>;
  queueOf: Map<QueueItem, PersonQueue>;
  /** Calls by the keys that have a say in whose they are. */
  byKey: Map<string, Set<QueueItem>>;
  ready: ReadonlyMap<Lane, Heap<Entry>>;
  later: Heap<Entry>;
  /** Sources that were stopped by a person: their calls keep their places. */
  pausedSources: Set<string>;
  /** PersonQueue whose head is of a stopped source. */
  pausedQueues: Set<PersonQueue>;
  inFlight: Set<QueueItem>;
  /** How many starts in a row passed over a lane that had something to start. */
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

/** Adds a call at its place in the order of acceptance. */
export const enqueue = (queue: Queue, item: QueueItem): void => {
  queue.items.set(keyOf(item), item);
  if (takesSlot(item)) queue.inFlight.add(item);
  index(queue, item);
  addToPersonQueue(queue, item);
};

/** Takes a call out: it is decided. */
export const remove = (queue: Queue, item: QueueItem): void => {
  queue.items.delete(keyOf(item));
  queue.inFlight.delete(item);
  unindex(queue, item);
  removeFromPersonQueue(queue, item);
};

/** Changes what the queue goes by; everything about an item's place is changed through this. */
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

/** Calls whose person one of these keys has a say in, in order of acceptance. */
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

/** Puts a personQueue where its head belongs now; its older places are void. */
const schedule = (queue: Queue, personQueue: PersonQueue): void => {
  personQueue.version++;
  queue.pausedQueues.delete(personQueue);
  const [head] = personQueue.items;
  // Two of one person may be under way when a link has just joined them: neither may be followed yet.
  if (!head || personQueue.inFlight > 0) return;
  if (isPaused(queue, head)) {
    queue.pausedQueues.add(personQueue);
    return;
  }
  // Void places go when they come to the top; where many lie deeper, all go at once.
  if (queue.later.list.length > 4 * queue.queueOf.size + 1_000) keepOnly(queue.later, isValid);
  push(queue.later, { personQueue, version: personQueue.version, head, lane: laneOf(personQueue), due: head.due });
};

/** The highest lane of all that wait in a personQueue: who waits behind a head lends it importance. */
const laneOf = ({ counts }: PersonQueue): Lane => lanes.find((lane) => (counts.get(lane) ?? 0) > 0) ?? "backfill";

export const isValid = ({ personQueue, version }: Entry): boolean => personQueue.version === version;

/** The first valid place of a heap. */
export const first = (heap: Heap<Entry>): Entry | undefined => {
  for (let top = peek(heap); top; top = peek(heap)) {
    if (isValid(top)) return top;
    pop(heap);
  }
  return undefined;
};

/** Moves what has fallen due to where it may start from. */
export const moveDue = (queue: Queue, now: number): void => {
  for (let top = first(queue.later); top && top.due <= now; top = first(queue.later)) {
    pop(queue.later);
    push(queue.ready.get(top.lane) as Heap<Entry>, top);
  }
};

/** All sources. */
export const EVERY = "*";

/** True for a call of a stopped source. A request of somebody who waits is of none. */
export const isPaused = ({ pausedSources }: Queue, { source }: Pick<QueueItem, "source">): boolean =>
  pausedSources.has(source) || (source !== "" && pausedSources.has(EVERY));

/** Pauses the calls of these sources where they stand, and lets those of all others go on. */
export const setPaused = (queue: Queue, sources: Iterable<string>): void => {
  queue.pausedSources = new Set(sources);
  for (const personQueue of new Set(queue.queueOf.values())) {
    const [head] = personQueue.items;
    if (head && isPaused(queue, head) !== queue.pausedQueues.has(personQueue)) schedule(queue, personQueue);
  }
};

/** What stands right behind a call of the same person, in order. */
export const following = (queue: Queue, item: QueueItem, count: number): readonly QueueItem[] => {
  const items = queue.queueOf.get(item)?.items ?? [];
  const after = items.indexOf(item) + 1;
  return items.slice(after, after + count);
};
