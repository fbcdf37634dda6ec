import type { Interruption, Pauses } from "../model/interruption.ts";
import type { CallRef } from "../model/types.ts";
import { isPaused, keyOf, type Queue, type QueueItem } from "../queue/queue.ts";

/** What an undecided call waits for. Times in Unix ms. */
export type Waiting =
  /** It is under way: the host has not answered yet. */
  | { for: "answer" }
  /** No webhook has told whom it is about; parked after `until`. */
  | { for: "identity"; until: number }
  /** A person paused its source, or all delivery where `source` is absent. */
  | { for: "resume"; source?: string; since: number }
  /** The host refuses the key; asked again at `until`. */
  | { for: "credentials"; message: string; since: number; until: number }
  /** The host asked to slow down. */
  | { for: "limit"; message: string; until: number }
  /** An earlier call of the same person. */
  | { for: "turn"; behind: CallRef }
  /** Its next try. */
  | { for: "time"; until: number }
  /** A place among those that leave now. */
  | { for: "slot" };

/** What delivery as a whole is doing. */
type Delivery = { queue: Queue; interruption: Interruption | undefined; pauses: Pauses };

/** What a call waits for; undefined where it is decided. Says the first thing that has to happen. */
export const waitingFor = (
  { queue, interruption, pauses }: Delivery,
  ref: CallRef,
  now: number,
): Waiting | undefined => {
  const item = queue.items.get(keyOf(ref));
  if (!item) return undefined;
  if (item.inFlight) return { for: "answer" };
  if (item.waits) return { for: "identity", until: item.due };
  if (isPaused(queue, item)) return stopOf(pauses, item);
  if (interruption?.reason === "blocked") return { for: "credentials", ...timesOf(interruption) };
  if (interruption && interruption.until > now)
    return { for: "limit", message: interruption.message, until: interruption.until };
  const first = queue.queueOf.get(item)?.items[0];
  if (first && first !== item) return { for: "turn", behind: { seq: first.seq, index: first.index } };
  return item.due > now ? { for: "time", until: item.due } : { for: "slot" };
};

const stopOf = ({ all, sources }: Pauses, { source }: QueueItem): Waiting =>
  all === undefined ? { for: "resume", source, since: sources[source] ?? 0 } : { for: "resume", since: all };

const timesOf = ({ message, since, until }: Interruption) => ({ message, since, until });
