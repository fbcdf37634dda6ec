import type { Dispatcher } from "../delivery/dispatcher.ts";
import { acceptedAt } from "../model/calls.ts";
import { type Lane, lanes } from "../model/types.ts";
import { EVERY, isPaused, placeOf } from "../queue/queue.ts";

/** The open calls of one lane. `oldest`: when the oldest of their webhooks was accepted, Unix ms. */
type LaneBacklog = { waiting: number; oldest?: number };

/** All open calls. */
export type Backlog = {
  waiting: number;
  /** When the webhook of the oldest call that could be sent was accepted, Unix ms. */
  oldest?: number;
  lanes: Record<Lane, LaneBacklog>;
  /** Calls whose contact is not known yet: they wait for an identity link. */
  forIdentity: number;
  /** Calls of a paused source, or all calls while all delivery is paused. */
  paused: number;
};

/** Counts all open calls in one pass. Costs time in proportion to the queue, so do not use it once per call. */
export const backlogOf = ({ queue }: Pick<Dispatcher, "queue">, now: number): Backlog => {
  const byLane = Object.fromEntries(lanes.map((lane) => [lane, { waiting: 0 }])) as Record<Lane, LaneBacklog>;
  const backlog: Backlog = { waiting: queue.items.size, lanes: byLane, forIdentity: 0, paused: 0 };
  for (const item of queue.items.values()) {
    // A call may be due later, or the clock was set back: a time in the future counts as now.
    const at = Math.min(now, acceptedAt(placeOf(item)));
    const lane = byLane[item.lane];
    lane.waiting++;
    lane.oldest = Math.min(lane.oldest ?? at, at);
    if (item.waits) backlog.forIdentity++;
    else if (isPaused(queue, item)) backlog.paused++;
    else backlog.oldest = Math.min(backlog.oldest ?? now, at);
  }
  return backlog;
};

/**
 * When the webhook of the oldest call that could be sent was accepted, Unix ms. Stops at the first such call: calls are in the
 * queue in order of acceptance, except those that an operator opened again.
 */
export const oldestSendable = ({ queue }: Pick<Dispatcher, "queue">): number | undefined => {
  if (queue.pausedSources.has(EVERY)) return undefined;
  for (const item of queue.items.values()) if (!item.waits && !isPaused(queue, item)) return acceptedAt(placeOf(item));
  return undefined;
};
