import type { Contact } from "../rules/types.ts";
import { type Lane, lanes } from "./types.ts";

/** An undecided call in memory. Everything else about it is in the journal. */
export type Item = {
  seq: number;
  index: number;
  lane: Lane;
  /** The person whose calls start one after the other; undefined for mail, which is not ordered. */
  person: string | undefined;
  /** Whom it is about, as the rule said. */
  contact: Contact;
  /** Keys that have a say in who that is; see `keysAround`. */
  keys: readonly string[];
  /** True while no webhook has told who that is. */
  waits: boolean;
  /** How often in a row something of ours failed on it. */
  failures: number;
  due: number;
  inFlight: boolean;
};

/** The undecided calls in order of acceptance, and how long each lane has been passed over. */
export type Queue = { items: Map<string, Item>; passedOver: Map<Lane, number> };

/** Most calls under way at once, and how many of those may be other than urgent. */
const MAX_IN_FLIGHT = 6;
const MAX_NOT_URGENT = 4;
/** A lane that has work gets at least one start in this many. */
const FAIR_SHARE = 20;

export const createQueue = (): Queue => ({ items: new Map(), passedOver: new Map() });

export const keyOf = (item: Pick<Item, "seq" | "index">): string => `${item.seq}.${item.index}`;

export const enqueue = (queue: Queue, item: Item): void => {
  queue.items.set(keyOf(item), item);
};

export const remove = (queue: Queue, item: Item): void => {
  queue.items.delete(keyOf(item));
};

export type Candidate = { item: Item; lane: Lane };

/** The first call of every person, in the highest lane of all that wait behind it; and every call that is not ordered. */
const candidates = (queue: Queue): Candidate[] => {
  const heads = new Map<string, Candidate>();
  const list: Candidate[] = [];
  for (const item of queue.items.values()) {
    const head = item.person === undefined ? undefined : heads.get(item.person);
    if (head) {
      if (lanes.indexOf(item.lane) < lanes.indexOf(head.lane)) head.lane = item.lane;
      continue;
    }
    const candidate = { item, lane: item.lane };
    if (item.person !== undefined) heads.set(item.person, candidate);
    list.push(candidate);
  }
  return list;
};

/** Calls under way. */
export const inFlight = (queue: Queue): number => {
  let count = 0;
  for (const item of queue.items.values()) if (item.inFlight) count++;
  return count;
};

/** What may start now, the best first, and the lanes that have something to start. */
export type Ready = { candidates: Candidate[]; lanes: Set<Lane> };

/** Candidates that one look through the queue gives: the first starts; if it comes to nothing, the next. */
const MAX_READY = 64;

/** The calls to start now: most important lane first, oldest first within it, no lane starved. */
export const pick = (queue: Queue, now: number): Ready => {
  const flying = [...queue.items.values()].filter((item) => item.inFlight);
  if (flying.length >= MAX_IN_FLIGHT) return { candidates: [], lanes: new Set() };
  const urgentOnly = flying.filter((item) => item.lane !== "urgent").length >= MAX_NOT_URGENT;
  const ready = candidates(queue).filter(
    ({ item }) => !item.inFlight && item.due <= now && (!urgentOnly || item.lane === "urgent"),
  );
  const waiting = new Set(ready.map(({ lane }) => lane));
  const starved = lanes.find((lane) => waiting.has(lane) && (queue.passedOver.get(lane) ?? 0) >= FAIR_SHARE - 1);
  const order = [...(starved ? [starved] : []), ...lanes.filter((lane) => lane !== starved && waiting.has(lane))];
  const best: Candidate[] = [];
  for (const lane of order) {
    if (best.length < MAX_READY)
      best.push(...ready.filter((candidate) => candidate.lane === lane).slice(0, MAX_READY - best.length));
  }
  return { candidates: best, lanes: waiting };
};

/** Notes that a call started in this lane while those lanes had something to start. */
export const started = (queue: Queue, served: Lane, waiting: ReadonlySet<Lane>): void => {
  for (const lane of lanes) {
    queue.passedOver.set(lane, lane === served || !waiting.has(lane) ? 0 : (queue.passedOver.get(lane) ?? 0) + 1);
  }
};

/** When the next call falls due, Unix ms; Infinity when none waits. Calls behind another of their person do not count. */
export const nextDue = (queue: Queue): number =>
  candidates(queue).reduce(
    (due, { item }) => (item.inFlight ? due : Math.min(due, item.due)),
    Number.POSITIVE_INFINITY,
  );
