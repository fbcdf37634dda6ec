import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";
import { backoffAfter, MAX_BACKOFF } from "./backoff.ts";
import { blockedAfter } from "./blocked.ts";

/**
 * The interruption after an outcome: a longer one, none, or the current one.
 *
 * @param startedAt when the attempt with this outcome started, Unix ms
 */
export const nextInterruption = (
  current: Interruption | undefined,
  outcome: Outcome,
  startedAt: number,
  now: number,
): Interruption | undefined => {
  if (outcome.kind === "rate_limited")
    return current?.reason === "blocked" ? current : backoffAfter(current, outcome, startedAt, now);
  if (outcome.kind === "key_refused") return blockedAfter(current, outcome, now);
  // Only an answer of the API itself, to a request sent since then, shows that the key is accepted again or the rate limit
  // has passed. A timeout or a proxy's error shows nothing.
  return current && startedAt >= current.since && outcome.kind !== "unknown" ? undefined : current;
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
