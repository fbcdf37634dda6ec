import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";
import { backoffAfter, MAX_BACKOFF } from "./backoff-after-429.ts";
import { blockedAfter } from "./block-after-refused-key.ts";

/** Returns the interruption after an outcome. Only a key check starts or ends a block. */
export const nextInterruption = (
  current: Interruption | undefined,
  outcome: Outcome,
  startedAt: number,
  now: number,
): Interruption | undefined => {
  if (current?.reason === "blocked") return current;
  if (outcome.kind === "rate_limited") return backoffAfter(current, outcome, startedAt, now);
  // Only a response of the API to a later request shows that the rate limit has passed.
  const isAnswer = outcome.kind === "done" || outcome.kind === "failed";
  return current && startedAt >= current.since && isAnswer ? undefined : current;
};

/** Returns the interruption after a key check. An unclear result only delays the next probe. */
export const afterKeyCheck = (
  current: Interruption | undefined,
  outcome: Outcome,
  startedAt: number,
  now: number,
): Interruption | undefined => {
  if (outcome.kind === "key_refused") return blockedAfter(current, outcome.message, now);
  if (current?.reason === "blocked")
    return outcome.kind === "done" ? undefined : blockedAfter(current, current.message, now);
  return outcome.kind === "rate_limited" ? backoffAfter(current, outcome, startedAt, now) : current;
};

/** Restores the interruption. A block is probed at once: a deployment may have brought a new key. */
export const resumed = (interruption: Interruption | undefined, now: number): Interruption | undefined =>
  interruption && {
    ...interruption,
    until: Math.min(interruption.until, interruption.reason === "blocked" ? now : now + MAX_BACKOFF),
  };
