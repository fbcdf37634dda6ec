import { type Lane, lanes } from "../model/journal-types.ts";
import { type FairLane, nextIn, nextOf, takeTurn } from "./fair-lane.ts";
import { FAIR_SHARE, MAX_IN_FLIGHT, MAX_NOT_URGENT } from "./max-in-flight.ts";
import { type Entry, first, isPaused, moveDue, type Queue, type QueueItem } from "./person-queues.ts";

/** Starts in other lanes after which a lane with due deliveries gets one. All lanes may reach it together: each is served early. */
export const MOST_PASSED_OVER = FAIR_SHARE - lanes.length;

export type Candidate = { item: QueueItem; lane: Lane };

/** Picks the most important lane without starving one, and there the source that has its turn, oldest first. */
export const pick = (queue: Queue, now: number): Candidate | undefined => {
  moveDue(queue, now);
  const open = openLanes(queue);
  const isStarved = (lane: Lane) => (queue.passedOver.get(lane) ?? 0) >= MOST_PASSED_OVER;
  const waiting = open.filter((lane) => topOf(queue, lane) !== undefined);
  const lane = waiting.find(isStarved) ?? waiting[0];
  const entry = lane && topOf(queue, lane);
  return entry && { item: entry.head, lane: entry.lane };
};

/** Counting by lane is exact: only mail is urgent, and mail is never behind a head. */
const openLanes = ({ inFlight }: Queue): readonly Lane[] => {
  if (inFlight.size >= MAX_IN_FLIGHT) return [];
  let notUrgent = 0;
  for (const item of inFlight) if (item.lane !== "urgent") notUrgent++;
  return notUrgent < MAX_NOT_URGENT ? lanes : ["urgent"];
};

const readyIn = (queue: Queue, lane: Lane) => queue.ready.get(lane) as FairLane<Entry>;

const topOf = (queue: Queue, lane: Lane): Entry | undefined => nextIn(readyIn(queue, lane));

export const upcoming = (queue: Queue, now: number, count: number): QueueItem[] => {
  moveDue(queue, now);
  const items: QueueItem[] = [];
  for (const lane of lanes) {
    items.push(...nextOf(readyIn(queue, lane), count - items.length).map(({ head }) => head));
  }
  return items;
};

/** Counts the turn of a source. */
export const countTurn = (queue: Queue, { item, lane }: Candidate): void => takeTurn(readyIn(queue, lane), item.source);

/** Counts a start; other lanes with due deliveries were passed over. */
export const countStart = (queue: Queue, { lane: served }: Candidate): void => {
  for (const lane of openLanes(queue)) {
    const passed = lane !== served && topOf(queue, lane) !== undefined;
    queue.passedOver.set(lane, passed ? (queue.passedOver.get(lane) ?? 0) + 1 : 0);
  }
};

/** Returns the delivery that is due first, if one can be sent. */
export const firstDelivery = (queue: Queue): QueueItem | undefined => {
  let found: QueueItem | undefined;
  for (const item of queue.items.values()) {
    const isHead = item.personQueue?.items[0] === item && !item.gatewayRequest && !item.waits && !item.inFlight;
    if (isHead && !isPaused(queue, item) && (!found || item.due < found.due)) found = item;
  }
  return found;
};

/** Returns Unix ms, or Infinity; only heads count. */
export const nextDue = (queue: Queue): number => {
  if (lanes.some((lane) => topOf(queue, lane) !== undefined)) return 0;
  return first(queue.later)?.due ?? Number.POSITIVE_INFINITY;
};
