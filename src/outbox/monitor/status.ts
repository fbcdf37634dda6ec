import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { countAttention } from "../journal/read.ts";
import type { ForeignAnswers, Interruption, Pauses } from "../model/interruption.ts";
import type { Problem } from "../model/problem.ts";
import { fillOf, NEARLY_FULL, quotas } from "../queue/quota.ts";
import { type Backlog, backlogOf, oldestSendable } from "./backlog.ts";
import type { Drain } from "./drain.ts";

/** Delivery state; `bytes` is the database size. */
export type DispatchStatus = Pick<Backlog, "waiting" | "lanes" | "forIdentity"> & {
  /** Milliseconds the oldest sendable delivery has waited. */
  late: number;
  inFlight: number;
  interruption: Interruption | null;
  foreignAnswers: ForeignAnswers | null;
  pauses: Pauses;
  quotas: ReturnType<typeof quotas>;
  pace: ReturnType<Dispatcher["pace"]>;
  /** Deliveries that wait for no person and no identity. */
  sendable: number;
  attention: number;
  bytes: number;
};

export type FullStatus = DispatchStatus & { nearlyFull: ReturnType<typeof quotas>; problems: Problem[]; drain: Drain };

export const statusOf = (dispatcher: Dispatcher, sql: SqlStorage, now: number): DispatchStatus => {
  const { queue, pauses } = dispatcher;
  const { waiting, lanes, forIdentity, paused, oldest = now } = backlogOf(dispatcher, now);
  return {
    waiting,
    lanes,
    forIdentity,
    late: now - oldest,
    inFlight: queue.inFlight.size,
    interruption: lastingInterruption(dispatcher, now),
    pauses,
    quotas: quotas(queue),
    foreignAnswers: dispatcher.foreignAnswers(now) ?? null,
    pace: dispatcher.pace(now),
    sendable: waiting - forIdentity - paused,
    attention: countAttention(sql),
    bytes: sql.databaseSize,
  };
};

/** An outage lasts until a probe is answered. A refused key stays refused until one is accepted. */
const lastingInterruption = ({ queue, interruption }: Dispatcher, now: number): Interruption | null => {
  const { reason, until = 0 } = interruption ?? {};
  const lasts = reason === "outage" || until > now || (reason === "blocked" && queue.items.size > 0);
  return (lasts && interruption) || null;
};

/** Milliseconds. */
const LOOK_EVERY = 5_000;

/** Webhooks of which the deliveries are counted. */
const MANY = 1_000;

/** Creates the reader for `GET /health`. It counts few rows. */
export const createHealthStatus = () => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let oldest: number | undefined;
  return (
    dispatcher: Dispatcher,
    sql: SqlStorage,
    now: number,
  ): Pick<
    DispatchStatus,
    "waiting" | "late" | "interruption" | "foreignAnswers" | "pauses" | "quotas" | "attention"
  > => {
    const { queue, pauses } = dispatcher;
    if (Math.abs(now - lookedAt) >= LOOK_EVERY) {
      lookedAt = now;
      oldest = oldestSendable(dispatcher);
    }
    const late = oldest === undefined ? 0 : Math.max(0, now - oldest);
    const full = quotas(queue).filter((quota) => fillOf(quota) >= NEARLY_FULL);
    const foreignAnswers = dispatcher.foreignAnswers(now) ?? null;
    const interruption = lastingInterruption(dispatcher, now);
    return {
      waiting: queue.items.size,
      late,
      interruption,
      foreignAnswers,
      pauses,
      quotas: full,
      attention: countAttention(sql, MANY),
    };
  };
};
