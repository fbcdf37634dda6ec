import { MINUTE_MS } from "../../lib/util/dates.ts";
import { variableOf } from "../model/config.ts";
import type { EngineContext } from "../model/dependencies.ts";
import type { Interruption, Pauses } from "../model/interruption.ts";
import type { DeliveryRef } from "../model/journal-types.ts";
import { isPaused, keyOf, type Queue, type QueueItem } from "../queue/person-queues.ts";

/** The reason an open delivery waits. Unix ms. */
export type WaitsFor =
  | { for: "answer" }
  /** After `until` the delivery is undecided, or sent with the user id alone. */
  | { for: "identity"; until: number }
  /** All deliveries are paused if `source` is absent. */
  | { for: "paused"; source?: string; since: number }
  /** The API key is refused or not set. */
  | { for: "blocked"; message: string; since: number; until: number }
  /** The email service gives no usable answer. */
  | { for: "outage"; message: string; since: number; until: number; lastSuccess?: number }
  /** The email service sent a 429. */
  | { for: "backoff"; message: string; until: number }
  /** An earlier delivery of the same person. */
  | { for: "turn"; behind: DeliveryRef }
  /** The data of a thin event. `variable`: the name of the missing key. */
  | { for: "fetch"; until: number; variable?: string }
  | { for: "time"; until: number }
  /** About so many due deliveries are sent first. `at`: when its turn comes at the rate of the last 15 seconds. */
  | { for: "slot"; ahead: number; at?: number };

type Delivery = {
  queue: Queue;
  interruption: Interruption | undefined;
  pauses: Pauses;
  ahead: (item: QueueItem) => number;
  /** Deliveries that were settled a minute, measured over the last 15 seconds. */
  perMinute: number;
};

/** Returns what an open fetch waits for; undefined if settled. */
export const fetchWaitsFor = (
  { env, sources }: Pick<EngineContext, "env" | "sources">,
  { fetches }: Queue,
  ref: DeliveryRef,
): WaitsFor | undefined => {
  const item = fetches.get(keyOf(ref));
  if (!item) return undefined;
  const key = Object.hasOwn(sources, item.source) ? sources[item.source]?.thinEvents?.key : undefined;
  const isMissing = key !== undefined && variableOf(env, key).trim() === "";
  return { for: "fetch", until: item.until, ...(isMissing ? { variable: key } : {}) };
};

/** Returns the first wait reason; undefined if settled. */
export const waitsFor = (
  { queue, interruption, pauses, ahead: countAhead, perMinute }: Delivery,
  ref: DeliveryRef,
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
  if (interruption?.reason === "outage") {
    const { reason, probes: _, ...outage } = interruption;
    return { for: reason, ...outage };
  }
  if (interruption && interruption.until > now)
    return { for: "backoff", message: interruption.message, until: interruption.until };
  const first = item.personQueue?.items[0];
  const before = first === item ? [...queue.inFlight].find(({ sentFrom }) => sentFrom === item.personQueue) : first;
  if (before) return { for: "turn", behind: { seq: before.seq, index: before.index } };
  if (item.due > now) return { for: "time", until: item.due };
  const ahead = countAhead(item);
  return { for: "slot", ahead, ...(ahead > 0 && perMinute > 0 ? { at: now + (ahead / perMinute) * MINUTE_MS } : {}) };
};

const pauseOf = ({ all, sources }: Pauses, { source }: QueueItem): WaitsFor =>
  all === undefined ? { for: "paused", source, since: sources[source] ?? 0 } : { for: "paused", since: all };
