import type { Interruption } from "../../model/interruption.ts";

const FIRST_PROBE = 15_000;
const SLOWEST_PROBE = 300_000;

/**
 * Delivery is blocked after a key check in which the host refused the API key (401 or 403). At `until` the key is checked
 * again.
 */
export const blockedAfter = (current: Interruption | undefined, message: string, now: number): Interruption => {
  const probes = current?.reason === "blocked" ? current.probes + 1 : 0;
  const since = current?.reason === "blocked" ? current.since : now;
  const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
  return { reason: "blocked", message, since, until, probes };
};
