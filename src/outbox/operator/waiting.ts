import type { Interruption, Pauses } from "../model/interruption.ts";
import type { CallRef } from "../model/types.ts";
import { isPaused, keyOf, type Queue, type QueueItem } from "../queue/queue.ts";

/** What an open call waits for. Times in Unix ms. */
export type WaitsFor =
  /** In flight: the host has not answered yet. */
  | { for: "answer" }
  /** No identity link names the contact yet. After `until` the call is parked, or sent with the user id alone. */
  | { for: "identity"; until: number }
  /** A person paused its source, or all delivery where `source` is absent. */
  | { for: "paused"; source?: string; since: number }
  /** The host refuses the API key, or cannot be called. The next attempt is at `until`. */
  | { for: "blocked"; message: string; since: number; until: number }
  /** The host answered 429. */
  | { for: "backoff"; message: string; until: number }
  /** An earlier call of the same person. */
  | { for: "turn"; behind: CallRef }
  /** Its next attempt. */
  | { for: "time"; until: number }
  /** A free slot. */
  | { for: "slot" };

type Delivery = { queue: Queue; interruption: Interruption | undefined; pauses: Pauses };

/** What a call waits for first; undefined where the call is settled. */
export const waitsFor = (
  { queue, interruption, pauses }: Delivery,
  ref: CallRef,
  now: number,
): WaitsFor | undefined => {
  const item = queue.items.get(keyOf(ref));
  if (!item) return undefined;
  if (item.inFlight) return { for: "answer" };
  if (item.waits) return { for: "identity", until: item.due };
  if (isPaused(queue, item)) return pauseOf(pauses, item);
  if (interruption?.reason === "blocked") {
    const { message, since, until } = interruption;
    return { for: "blocked", message, since, until };
  }
  if (interruption && interruption.until > now)
    return { for: "backoff", message: interruption.message, until: interruption.until };
  const first = item.personQueue?.items[0];
  if (first && first !== item) return { for: "turn", behind: { seq: first.seq, index: first.index } };
  return item.due > now ? { for: "time", until: item.due } : { for: "slot" };
};

const pauseOf = ({ all, sources }: Pauses, { source }: QueueItem): WaitsFor =>
  all === undefined ? { for: "paused", source, since: sources[source] ?? 0 } : { for: "paused", since: all };
