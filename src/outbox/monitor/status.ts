import type { Dispatcher } from "../delivery/dispatcher.ts";
import { countAttention } from "../journal/read.ts";
import type { ForeignAnswers, Interruption, Pauses } from "../model/interruption.ts";
import { fillOf, NEARLY_FULL, rooms } from "../queue/room.ts";
import { type Backlog, backlogOf, oldestSendable } from "./backlog.ts";

/** The state of delivery. `attention`: calls that need a person; `bytes`: size of the database. */
export type DeliveryStatus = Pick<Backlog, "waiting" | "lanes" | "forIdentity"> & {
  /** How long the oldest call that could be sent has waited, ms. */
  late: number;
  /** Requests that were sent and have no answer yet. */
  inFlight: number;
  interruption: Interruption | null;
  foreignAnswers: ForeignAnswers | null;
  pauses: Pauses;
  /** Sources with open calls, and how many calls each may have. */
  rooms: ReturnType<typeof rooms>;
  pace: ReturnType<Dispatcher["pace"]>;
  attention: number;
  bytes: number;
};

/** The state with the sources that are nearly full, and open problems in sentences. */
export type FullStatus = DeliveryStatus & { nearlyFull: ReturnType<typeof rooms>; problems: string[] };

/** Reads the state of delivery from the queue, in one pass. */
export const statusOf = (dispatcher: Dispatcher, sql: SqlStorage, now: number): DeliveryStatus => {
  const { queue, pauses } = dispatcher;
  const { waiting, lanes, forIdentity, oldest = now } = backlogOf(dispatcher, now);
  return {
    waiting,
    lanes,
    forIdentity,
    late: now - oldest,
    inFlight: queue.inFlight.size,
    interruption: lastingInterruption(dispatcher, now),
    pauses,
    rooms: rooms(queue),
    foreignAnswers: dispatcher.foreignAnswers(now) ?? null,
    pace: dispatcher.pace(now),
    attention: countAttention(sql),
    bytes: sql.databaseSize,
  };
};

/** A refused key stays refused until a probe is accepted, however long that takes. */
const lastingInterruption = ({ queue, interruption }: Dispatcher, now: number): Interruption | null => {
  const lasts =
    interruption && (interruption.until > now || (interruption.reason === "blocked" && queue.items.size > 0));
  return lasts ? interruption : null;
};

/** Ms for which the age of the oldest call is taken from the last look. */
const LOOK_EVERY = 5_000;

/**
 * Returns a function that reads the part of the state that `GET /health` shows. Counts nothing: it looks for the oldest
 * call that could be sent, which is one of the first in the queue unless earlier ones are paused or wait for an identity,
 * and not more often than every few seconds.
 */
export const createHealthStatus = () => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let oldest: number | undefined;
  return (
    dispatcher: Dispatcher,
    now: number,
  ): Pick<DeliveryStatus, "waiting" | "late" | "interruption" | "foreignAnswers" | "pauses" | "rooms"> => {
    const { queue, pauses } = dispatcher;
    if (Math.abs(now - lookedAt) >= LOOK_EVERY) {
      lookedAt = now;
      oldest = oldestSendable(dispatcher);
    }
    const late = oldest === undefined ? 0 : Math.max(0, now - oldest);
    const full = rooms(queue).filter((room) => fillOf(room) >= NEARLY_FULL);
    const foreignAnswers = dispatcher.foreignAnswers(now) ?? null;
    const interruption = lastingInterruption(dispatcher, now);
    return { waiting: queue.items.size, late, interruption, foreignAnswers, pauses, rooms: full };
  };
};
