import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

const FIRST_PROBE = 15_000;
const SLOWEST_PROBE = 300_000;
/** A host that says nothing, or nothing sensible, about when to come again is asked again after this, doubled each time. */
const SHORTEST_LIMIT = 1_000;
const LONGEST_LIMIT = 900_000;

/**
 * The pause after an outcome: a longer one, none, or the one that was.
 *
 * @param startedAt when the try that came to this outcome started, Unix ms
 */
export const nextInterruption = (
  current: Interruption | undefined,
  outcome: Outcome,
  startedAt: number,
  now: number,
): Interruption | undefined => {
  if (outcome.kind === "rate_limited") {
    if (current?.reason === "blocked") return current;
    // Tries that were under way together are one refusal; one that started after the last pause is another.
    const again = current !== undefined && startedAt >= current.until;
    const probes = current === undefined ? 0 : again ? current.probes + 1 : current.probes;
    const least = SHORTEST_LIMIT * 2 ** Math.min(probes, 6);
    const until = Math.max(current?.until ?? 0, now + Math.min(LONGEST_LIMIT, Math.max(outcome.wait, least)));
    return { reason: "backoff", message: outcome.message, since: now, until, probes };
  }
  if (outcome.kind === "key_refused") {
    const probes = current?.reason === "blocked" ? current.probes + 1 : 0;
    const since = current?.reason === "blocked" ? current.since : now;
    const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
    return { reason: "blocked", message: outcome.message, since, until, probes };
  }
  // Only an answer of the API itself to a call that started since shows that the key is accepted again (or the limit
  // has passed): an error of a gateway before it, and silence, show nothing.
  return current && startedAt >= current.since && outcome.kind !== "unknown" ? undefined : current;
};

/**
 * The pause as an object finds it that starts anew: a held queue is probed at once, since that is when a new key has
 * been deployed; and no pause is longer than one that would be made now.
 */
export const resumed = (interruption: Interruption | undefined, now: number): Interruption | undefined =>
  interruption && {
    ...interruption,
    until: Math.min(interruption.until, interruption.reason === "blocked" ? now : now + LONGEST_LIMIT),
  };
