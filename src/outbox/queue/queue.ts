import type { Contact } from "../../rules/types.ts";
import type { Outcome } from "../model/outcome.ts";
import { type Lane, lanes } from "../model/types.ts";
import { createHeap, type Heap, keepOnly, peek, pop, push } from "./heap.ts";
import { countOpen, createOpenCalls, type OpenCalls } from "./room.ts";

/** An open call in memory. Everything else about it is in the journal. */
export type QueueItem = {
  seq: number;
  index: number;
  /**
   * Its place in order of acceptance if that is not `seq`, in microseconds too. A call that is made once more has the time when
   * it is due, so that calls accepted before then do not wait for it.
   */
  place?: number;
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
  /** Identity keys whose links may change its person or its wait; see `personAround`. Mail with its own address has none. */
  keys: readonly string[];
  /** True while it waits for an identity link. */
  waits: boolean;
  /** True for an update that was refused together with others: it is sent alone. */
  alone: boolean;
  /** Attempts with an outcome, as in the journal (`tries`). */
  attempts: number;
  /** Consecutive failures of the bridge itself on this call. */
  failures: number;
  /** Unix ms before which it is not sent. */
  due: number;
  inFlight: boolean;
  /** True while it is part of another call's request. */
  joined: boolean;
  /** Set for a gateway request, which is not a call of the journal. */
  gatewayRequest?: GatewayRequest;
  /** Where it stands; undefined while it is in no queue. */
  personQueue?: PersonQueue | undefined;
};

/** A /v1 request of the team's own code. */
export type GatewayRequest = {
  run(): Promise<Outcome>;
  /** Ms it still has to wait for a rate limit of its own; at 0 it is sent. */
  notBefore?: ((now: number) => number) | undefined;
};

/** The calls of one person in order of acceptance; or a single call that is not ordered. */
type PersonQueue = {
  items: QueueItem[];
  inFlight: number;
  /** The highest lane of its calls, so that a low-lane head does not delay an important call behind it. */
  lane: Lane;
  version: number;
};

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
  /** Their number by source. Intake adds the calls of webhooks whose commit is not done yet. */
  open: OpenCalls;
  byPerson: Map<string, PersonQueue>;
  /** Calls by their identity keys. Most keys have one call: a set for each would take a tenth of the memory. */
  byKey: Map<string, QueueItem | Set<QueueItem>>;
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

/** The place of a call in order of acceptance, in microseconds. */
export const placeOf = ({ place, seq }: Pick<QueueItem, "place" | "seq">): number => place ?? seq;

export const inOrder = (a: QueueItem, b: QueueItem): number =>
  placeOf(a) - placeOf(b) || a.seq - b.seq || a.index - b.index;

export const createQueue = (): Queue => ({
  items: new Map(),
  open: createOpenCalls(),
  byPerson: new Map(),
  byKey: new Map(),
  ready: new Map(lanes.map((lane) => [lane, createHeap<Entry>((a, b) => inOrder(a.head, b.head))])),
  later: createHeap((a, b) => a.due - b.due || inOrder(a.head, b.head)),
  pausedSources: new Set(),
  pausedQueues: new Set(),
  inFlight: new Set(),
  passedOver: new Map(),
});

export const keyOf = (item: Pick<QueueItem, "seq" | "index">): string => `${item.seq}.${item.index}`;

/** Counts a call as open, or no longer. */
const countItem = ({ open }: Queue, { source, lane, waits }: QueueItem, by: 1 | -1): void =>
  countOpen(open, source, { open: by, urgent: by * Number(lane === "urgent"), forIdentity: by * Number(waits) });

/** Adds a call at its position in the order of acceptance. */
export const enqueue = (queue: Queue, item: QueueItem): void => {
  queue.items.set(keyOf(item), item);
  countItem(queue, item, 1);
  if (takesSlot(item)) queue.inFlight.add(item);
  index(queue, item);
  addToPersonQueue(queue, item);
};

/** Removes a call. */
export const remove = (queue: Queue, item: QueueItem): void => {
  if (!queue.items.delete(keyOf(item))) return;
  countItem(queue, item, -1);
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

/** Calls with one of these identity keys, in order of acceptance. */
export const withKeys = ({ byKey }: Queue, keys: ReadonlySet<string>): QueueItem[] => {
  const found = [...keys].flatMap((key) => {
    const known = byKey.get(key);
    return known instanceof Set ? [...known] : (known ?? []);
  });
  return [...new Set(found)].sort(inOrder);
};

const addToPersonQueue = (queue: Queue, item: QueueItem): void => {
  const known = item.person === undefined ? undefined : queue.byPerson.get(item.person);
  const personQueue = known ?? { items: [item], inFlight: 0, lane: item.lane, version: 0 };
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

/** The highest lane of these calls. Stops at the first call of the lane that none is above. */
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
  if (queue.later.list.length > 4 * queue.items.size + 1_000) keepOnly(queue.later, isValid);
  push(queue.later, { personQueue, version: personQueue.version, head, lane: personQueue.lane, due: head.due });
};

const isValid = ({ personQueue, version }: Entry): boolean => personQueue.version === version;

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
  for (const head of queue.items.values()) {
    const { personQueue } = head;
    if (personQueue?.items[0] !== head) continue;
    if (isPaused(queue, head) !== queue.pausedQueues.has(personQueue)) schedule(queue, personQueue);
  }
};

/** The calls right behind a call of the same person, in order. */
export const following = (item: QueueItem, count: number): readonly QueueItem[] => {
  const items = item.personQueue?.items ?? [];
  const after = items.indexOf(item) + 1;
  return items.slice(after, after + count);
};
