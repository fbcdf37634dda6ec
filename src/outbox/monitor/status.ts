import type { Dispatcher } from "../delivery/dispatcher.ts";
import { acceptedAt } from "../model/calls.ts";
import type { Interruption, Pauses } from "../model/interruption.ts";
import { type Lane, lanes } from "../model/types.ts";
import { isPaused } from "../queue/queue.ts";

/** What waits in one lane: how many calls, and since when the oldest, Unix ms. */
type LaneStatus = { waiting: number; oldest?: number };

/** What delivery is doing, in full. */
export type DeliveryStatus = {
  lanes: Record<Lane, LaneStatus>;
  /** Calls that wait for a webhook to tell whom they are about. */
  identity: number;
  /** Calls under way. */
  sending: number;
  pauses: Pauses;
};

/** Looks through all that waits, once. `late`: ms for which the oldest call could have left. */
export const statusOf = (
  { queue, interruption, pauses }: Dispatcher,
  now: number,
): { waiting: number; late: number; interruption: Interruption | null } & DeliveryStatus => {
  const byLane = Object.fromEntries(lanes.map((lane): [Lane, LaneStatus] => [lane, { waiting: 0 }])) as Record<
    Lane,
    LaneStatus
  >;
  let oldest = now;
  let identity = 0;
  for (const item of queue.items.values()) {
    const { seq, lane, waits } = item;
    const at = acceptedAt(seq);
    const status = byLane[lane];
    status.waiting++;
    status.oldest = Math.min(status.oldest ?? at, at);
    if (waits) identity++;
    // What people stopped is not late.
    else if (!isPaused(queue, item)) oldest = Math.min(oldest, at);
  }
  return {
    waiting: queue.items.size,
    late: now - oldest,
    // A refused key stays refused until a probe is accepted.
    interruption:
      interruption && (interruption.until > now || (interruption.reason === "blocked" && queue.items.size > 0))
        ? interruption
        : null,
    ...{ lanes: byLane, identity, sending: queue.inFlight.size, pauses },
  };
};
