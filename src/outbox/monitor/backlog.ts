import type { Dispatcher } from "../delivery/dispatcher.ts";
import { acceptedAt } from "../model/calls.ts";
import { type Lane, lanes } from "../model/types.ts";
import { isPaused } from "../queue/queue.ts";

/** What waits. `oldest`: when the webhook of the oldest call that could leave was accepted, Unix ms. */
type Backlog = {
  waiting: number;
  oldest: number | undefined;
  byLane: Record<Lane, number>;
  /** For a link that tells whom they are about, and for a person who stopped them. */
  forIdentity: number;
  forResume: number;
};

/** Goes through all undecided calls: for now and then, not for every call. */
export const backlogOf = ({ queue }: Pick<Dispatcher, "queue">, now: number): Backlog => {
  const byLane = Object.fromEntries(lanes.map((lane) => [lane, 0])) as Record<Lane, number>;
  const backlog: Backlog = { waiting: queue.items.size, oldest: undefined, byLane, forIdentity: 0, forResume: 0 };
  for (const item of queue.items.values()) {
    byLane[item.lane]++;
    if (item.waits) backlog.forIdentity++;
    else if (isPaused(queue, item)) backlog.forResume++;
    // A clock that was set back makes what comes now look old or young; nothing is from the future.
    else backlog.oldest = Math.min(backlog.oldest ?? now, acceptedAt(item.seq));
  }
  return backlog;
};
