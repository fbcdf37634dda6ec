import type { Outcome } from "../outcome.ts";

/** Why nothing leaves for now. `limited`: the host said 429. `held`: it refuses the key; the queue keeps everything. */
export type Pause = { reason: "limited" | "held"; message: string; since: number; until: number; probes: number };

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
export const nextPause = (
  current: Pause | undefined,
  outcome: Outcome,
  startedAt: number,
  now: number,
): Pause | undefined => {
  if (outcome.kind === "limited") {
    if (current?.reason === "held") return current;
    // Tries that were under way together are one refusal; one that started after the last pause is another.
    const again = current !== undefined && startedAt >= current.until;
    const probes = current === undefined ? 0 : again ? current.probes + 1 : current.probes;
    const least = SHORTEST_LIMIT * 2 ** Math.min(probes, 6);
    const until = Math.max(current?.until ?? 0, now + Math.min(LONGEST_LIMIT, Math.max(outcome.wait, least)));
    return { reason: "limited", message: outcome.message, since: now, until, probes };
  }
  if (outcome.kind === "held") {
    const probes = current?.reason === "held" ? current.probes + 1 : 0;
    const since = current?.reason === "held" ? current.since : now;
    const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
    return { reason: "held", message: outcome.message, since, until, probes };
  }
  // Only an answer of the API itself to a call that started since shows that the key is accepted again (or the limit
  // has passed): an error of a gateway before it, and silence, show nothing.
  return current && startedAt >= current.since && outcome.kind !== "unknown" ? undefined : current;
};

/**
 * The pause as an object finds it that starts anew: a held queue is probed at once, since that is when a new key has
 * been deployed; and no pause is longer than one that would be made now.
 */
export const resumed = (pause: Pause | undefined, now: number): Pause | undefined =>
  pause && { ...pause, until: Math.min(pause.until, pause.reason === "held" ? now : now + LONGEST_LIMIT) };

/** What people stopped and since when (Unix ms): all delivery, or the calls of sources by name. */
export type Stops = { all?: number; sources: Readonly<Record<string, number>> };
