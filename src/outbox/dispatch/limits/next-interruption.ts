import type { Interruption } from "../../model/interruption.ts";
import { downOf, isHeard, type Outcome } from "../../model/outcome.ts";
import { backoffAfter, MAX_BACKOFF } from "./backoff-after-429.ts";
import { blockedAfter } from "./block-after-refused-key.ts";
import { outageAgain } from "./outage.ts";

/**
 * Returns the interruption after an outcome. Only a key check starts or ends a block.
 *
 * @param old true for an answer that says nothing about the host now
 */
export const nextInterruption = (
  current: Interruption | undefined,
  outcome: Outcome,
  { startedAt, now, old }: { startedAt: number; now: number; old: boolean },
): Interruption | undefined => {
  if (current?.reason === "blocked" || (current?.reason === "outage" && old)) return current;
  if (outcome.kind === "rate_limited") return backoffAfter(ofBackoff(current), outcome, startedAt, now);
  if (current?.reason === "outage") return isHeard(outcome) ? undefined : current;
  // Only a response of the API to a later request shows that the rate limit has passed.
  const isAnswer = outcome.kind === "done" || outcome.kind === "failed";
  return current && startedAt >= current.since && isAnswer ? undefined : current;
};

const ofBackoff = (current: Interruption | undefined) => (current?.reason === "backoff" ? current : undefined);

/**
 * Returns the interruption after a key check. An unclear result only delays the next probe.
 *
 * @param isIdle true if nothing could be sent
 * @param old true for an answer that says nothing about the host now
 */
export const afterKeyCheck = (
  current: Interruption | undefined,
  outcome: Outcome,
  { startedAt, now, isIdle, old }: { startedAt: number; now: number; isIdle: boolean; old: boolean },
): Interruption | undefined => {
  if (outcome.kind === "key_refused") return blockedAfter(current, outcome.message, now);
  if (current?.reason === "blocked")
    return outcome.kind === "done" ? undefined : blockedAfter(current, current.message, now);
  if (current?.reason === "outage" && old) return current;
  if (outcome.kind === "rate_limited") return backoffAfter(ofBackoff(current), outcome, startedAt, now);
  if (current?.reason !== "outage") return current;
  return isHeard(outcome) ? undefined : outageAgain(current, downOf(outcome) ?? current.message, isIdle, now);
};

/** Restores the interruption. All but a backoff is probed at once: a deployment may have brought a new key. */
export const resumed = (interruption: Interruption | undefined, now: number): Interruption | undefined =>
  interruption && {
    ...interruption,
    until: Math.min(interruption.until, interruption.reason === "backoff" ? now + MAX_BACKOFF : now),
  };
