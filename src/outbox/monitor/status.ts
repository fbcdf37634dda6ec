import type { Dispatcher } from "../delivery/dispatcher.ts";
import type { Interruption, Pauses } from "../model/interruption.ts";
import { type Backlog, backlogOf } from "./backlog.ts";

/** The state of delivery. */
export type DeliveryStatus = Pick<Backlog, "waiting" | "lanes" | "forIdentity"> & {
  /** How long the oldest call that could be sent has waited, ms. */
  late: number;
  /** Requests that were sent and have no answer yet. */
  inFlight: number;
  interruption: Interruption | null;
  pauses: Pauses;
};

/** Reads the state of delivery from the queue, in one pass. */
export const statusOf = (dispatcher: Dispatcher, now: number): DeliveryStatus => {
  const { queue, interruption, pauses } = dispatcher;
  const { waiting, lanes, forIdentity, oldest = now } = backlogOf(dispatcher, now);
  // A refused key stays refused until a probe is accepted, however long that takes.
  const lasts = interruption && (interruption.until > now || (interruption.reason === "blocked" && waiting > 0));
  return {
    ...{ waiting, lanes, forIdentity, late: now - oldest, inFlight: queue.inFlight.size },
    ...{ interruption: lasts ? interruption : null, pauses },
  };
};
