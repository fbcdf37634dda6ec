import { type Lane, lanes } from "../model/types.ts";
import { type Heap, pop, push } from "./heap.ts";
import { type Entry, first, inOrder, isValid, moveDue, type Queue, type QueueItem } from "./queue.ts";

/** Most calls under way at once, and how many of those may be other than urgent. */
const MAX_IN_FLIGHT = 6;
const MAX_NOT_URGENT = 4;
/** A lane that has work gets at least one start in this many. */
const FAIR_SHARE = 20;

export type Candidate = { item: QueueItem; lane: Lane };

/** The call to start now: most important lane first, oldest first within it, no lane starved. */
export const pick = (queue: Queue, now: number): Candidate | undefined => {
  moveDue(queue, now);
  const open = openLanes(queue);
  // Five lanes may have been passed over alike: the last of them still has its turn within its share.
  const isStarved = (lane: Lane) => (queue.passedOver.get(lane) ?? 0) >= FAIR_SHARE - lanes.length;
  const waiting = open.filter((lane) => topOf(queue, lane) !== undefined);
  const lane = waiting.find(isStarved) ?? waiting[0];
  const place = lane && topOf(queue, lane);
  return place && { item: place.head, lane: place.lane };
};

/**
 * The call to try a refused key with: one that was refused least. Calls that are refused for themselves, and
 * not for the key, would else come again and again, and never one that shows it.
 */
export const pickProbe = (queue: Queue, now: number): Candidate | undefined => {
  moveDue(queue, now);
  let best: Entry | undefined;
  for (const lane of lanes) {
    for (const place of (queue.ready.get(lane) as Heap<Entry>).list) {
      if (!isValid(place)) continue;
      const ahead = best ? (place.head.refused ?? 0) - (best.head.refused ?? 0) : -1;
      if (ahead < 0 || (ahead === 0 && place.lane === best?.lane && inOrder(place.head, best.head) < 0)) best = place;
    }
  }
  return best && { item: best.head, lane: best.lane };
};

/** The lanes that have a place in flight left. Only mail is urgent, and mail is not ordered: its head is itself. */
const openLanes = ({ inFlight }: Queue): readonly Lane[] => {
  if (inFlight.size >= MAX_IN_FLIGHT) return [];
  let notUrgent = 0;
  for (const item of inFlight) if (item.lane !== "urgent") notUrgent++;
  return notUrgent < MAX_NOT_URGENT ? lanes : ["urgent"];
};

const topOf = (queue: Queue, lane: Lane): Entry | undefined => first(queue.ready.get(lane) as Heap<Entry>);

/** The calls that `pick` would give next, at most `count`, the likeliest first. */
export const upcoming = (queue: Queue, now: number, count: number): QueueItem[] => {
  moveDue(queue, now);
  const items: QueueItem[] = [];
  for (const lane of lanes) {
    const heap = queue.ready.get(lane) as Heap<Entry>;
    const taken: Entry[] = [];
    while (items.length < count) {
      const top = first(heap);
      if (!top) break;
      pop(heap);
      taken.push(top);
      items.push(top.head);
    }
    for (const place of taken) push(heap, place);
  }
  return items;
};

/** Notes that a call is about to start in this lane: the others that could have started something were passed over. */
export const countStart = (queue: Queue, { lane: served }: Candidate): void => {
  for (const lane of openLanes(queue)) {
    const passed = lane !== served && topOf(queue, lane) !== undefined;
    queue.passedOver.set(lane, passed ? (queue.passedOver.get(lane) ?? 0) + 1 : 0);
  }
};

/** When the next call falls due, Unix ms; Infinity when none waits. Calls behind another of their person do not count. */
export const nextDue = (queue: Queue): number => {
  if (lanes.some((lane) => topOf(queue, lane) !== undefined)) return 0;
  return first(queue.later)?.due ?? Number.POSITIVE_INFINITY;
};
