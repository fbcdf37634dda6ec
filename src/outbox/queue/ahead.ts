import { type Lane, lanes } from "../model/journal-types.ts";
import { inOrder, isPaused, type Queue, type QueueItem } from "./person-queues.ts";
import { MOST_PASSED_OVER } from "./pick.ts";

/** Due deliveries of a lane: how many each source has, and the place of each in its source, 0 for the first. */
type Line = { bySource: Map<string, number>; places: Map<QueueItem, number> };

/** Counts about how many deliveries `pick` starts before one, if no other comes. The queue is read once for all counts. */
export const createAhead = (queue: Queue, now: number): ((item: QueueItem) => number) => {
  let lines: ReadonlyMap<Lane, Line> | undefined;
  return (item) => {
    lines ??= linesOf(queue, now);
    const line = lines.get(item.lane);
    const place = line?.places.get(item) ?? 0;
    const own = sum(
      [...(line?.bySource ?? [])].map(([source, many]) => (source === item.source ? place : Math.min(many, place))),
    );
    const above = sum(lanes.slice(0, lanes.indexOf(item.lane)).map((lane) => lines?.get(lane)?.places.size ?? 0));
    return own + Math.min(above, (own + 1) * MOST_PASSED_OVER);
  };
};

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

const linesOf = (queue: Queue, now: number): ReadonlyMap<Lane, Line> => {
  const lines = new Map(lanes.map((lane): [Lane, Line] => [lane, { bySource: new Map(), places: new Map() }]));
  const due = [...queue.items.values()].filter(
    (item) => !item.waits && !item.inFlight && !item.joined && item.due <= now && !isPaused(queue, item),
  );
  for (const item of due.sort(inOrder)) {
    const { bySource, places } = lines.get(item.lane) as Line;
    const place = bySource.get(item.source) ?? 0;
    places.set(item, place);
    bySource.set(item.source, place + 1);
  }
  return lines;
};
