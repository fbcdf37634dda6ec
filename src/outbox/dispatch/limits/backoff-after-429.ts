import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

/** Milliseconds, doubled with each 429 in a row. Used if `Retry-After` is missing or not sensible. */
const MIN_BACKOFF = 1_000;
export const MAX_BACKOFF = 900_000;

/** Returns the backoff after a 429, following `Retry-After` within bounds. */
export const backoffAfter = (
  current: Interruption | undefined,
  { message, wait }: Outcome & { kind: "rate_limited" },
  startedAt: number,
  now: number,
): Interruption => {
  // Several 429s in flight together count once. A request sent after the backoff counts again.
  const again = current !== undefined && startedAt >= current.until;
  const probes = current === undefined ? 0 : again ? current.probes + 1 : current.probes;
  const least = MIN_BACKOFF * 2 ** Math.min(probes, 6);
  const until = Math.max(current?.until ?? 0, now + Math.min(MAX_BACKOFF, Math.max(wait, least)));
  return { reason: "backoff", message, since: now, until, probes };
};
