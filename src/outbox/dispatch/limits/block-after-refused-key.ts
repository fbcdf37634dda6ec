import type { Interruption } from "../../model/interruption.ts";

const FIRST_PROBE = 15_000;
const SLOWEST_PROBE = 300_000;

/** Blocks delivery after a refused key check. The key is checked again at `until`. */
export const blockedAfter = (current: Interruption | undefined, message: string, now: number): Interruption => {
  const probes = current?.reason === "blocked" ? current.probes + 1 : 0;
  const since = current?.reason === "blocked" ? current.since : now;
  const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
  return { reason: "blocked", message, since, until, probes };
};
