import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

const FIRST_PROBE = 15_000;
const SLOWEST_PROBE = 300_000;
/** Shortest backoff in ms, doubled with each 429 in a row, for a host without a sensible Retry-After. */
const MIN_BACKOFF = 1_000;
const MAX_BACKOFF = 900_000;

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
  if (outcome.kind === "rate_limited") {
    if (current?.reason === "blocked") return current;
    // Several 429s to requests in flight together count once. A request sent after the backoff counts again.
    const again = current !== undefined && startedAt >= current.until;
    const probes = current === undefined ? 0 : again ? current.probes + 1 : current.probes;
    const least = MIN_BACKOFF * 2 ** Math.min(probes, 6);
    const until = Math.max(current?.until ?? 0, now + Math.min(MAX_BACKOFF, Math.max(outcome.wait, least)));
    return { reason: "backoff", message: outcome.message, since: now, until, probes };
  }
  if (outcome.kind === "key_refused") {
    const probes = current?.reason === "blocked" ? current.probes + 1 : 0;
    const since = current?.reason === "blocked" ? current.since : now;
    const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
    return { reason: "blocked", message: outcome.message, since, until, probes };
  }
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
