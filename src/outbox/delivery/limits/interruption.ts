import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";
import { backoffAfter, MAX_BACKOFF } from "./backoff.ts";
import { blockedAfter } from "./blocked.ts";

/**
 * The interruption after the outcome of a call or a gateway request: a backoff, none, or the current one. Only a key check
 * starts and ends a block.
 *
 * @param startedAt when the attempt with this outcome started, Unix ms
 */
export const nextInterruption = (
  current: Interruption | undefined,
  outcome: Outcome,
  startedAt: number,
  now: number,
): Interruption | undefined => {
  if (current?.reason === "blocked") return current;
  if (outcome.kind === "rate_limited") return backoffAfter(current, outcome, startedAt, now);
  // Only an answer of the API itself, to a request sent since then, shows that the rate limit has passed. A timeout or a
  // proxy's error shows nothing.
  const isAnswer = outcome.kind === "done" || outcome.kind === "dead";
  return current && startedAt >= current.since && isAnswer ? undefined : current;
};

/** The interruption after a key check. One that says nothing about the key delays the next probe of a block, and no more. */
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

/**
 * The stored interruption when the object starts again. A blocked queue is probed at once, because a deployment may have
 * brought a new key. A backoff is no longer than a new one would be.
 */
export const resumed = (interruption: Interruption | undefined, now: number): Interruption | undefined =>
  interruption && {
    ...interruption,
    until: Math.min(interruption.until, interruption.reason === "blocked" ? now : now + MAX_BACKOFF),
  };
