import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { acceptedAt } from "../model/delivery-state.ts";
import { type Lane, lanes } from "../model/journal-types.ts";
import { EVERY, isPaused, orderOf } from "../queue/person-queues.ts";

/** `oldest`: acceptance in Unix ms. */
type LaneBacklog = { waiting: number; oldest?: number };

export type Backlog = {
  waiting: number;
  /** Unix ms. */
  oldest?: number;
  lanes: Record<Lane, LaneBacklog>;
  /** Deliveries that wait for an identity link. */
  forIdentity: number;
  paused: number;
};

/** Counts open deliveries in one pass over the queue. Never call it per delivery. */
export const backlogOf = ({ queue }: Pick<Dispatcher, "queue">, now: number): Backlog => {
  const byLane = Object.fromEntries(lanes.map((lane) => [lane, { waiting: 0 }])) as Record<Lane, LaneBacklog>;
  const backlog: Backlog = { waiting: queue.items.size, lanes: byLane, forIdentity: 0, paused: 0 };
  for (const item of queue.items.values()) {
    // After the clock was set back, a future time counts as now.
    const at = Math.min(now, acceptedAt(orderOf(item)));
    const lane = byLane[item.lane];
    lane.waiting++;
    lane.oldest = Math.min(lane.oldest ?? at, at);
    if (item.waits) backlog.forIdentity++;
    else if (isPaused(queue, item)) backlog.paused++;
    else backlog.oldest = Math.min(backlog.oldest ?? now, at);
  }
  return backlog;
};

/** Returns the oldest sendable delivery's acceptance in Unix ms. Stops at the first match. */
export const oldestSendable = ({ queue }: Pick<Dispatcher, "queue">): number | undefined => {
  if (queue.pausedSources.has(EVERY)) return undefined;
  for (const item of queue.items.values()) if (!item.waits && !isPaused(queue, item)) return acceptedAt(orderOf(item));
  return undefined;
};
