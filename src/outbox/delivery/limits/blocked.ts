import type { Interruption } from "../../model/interruption.ts";
import type { Outcome } from "../../model/outcome.ts";

const FIRST_PROBE = 15_000;
const SLOWEST_PROBE = 300_000;

/** Delivery is blocked after the host refused the API key (401 or 403), until a probe at `until` is accepted. */
export const blockedAfter = (
  current: Interruption | undefined,
  { message }: Outcome & { kind: "key_refused" },
  now: number,
): Interruption => {
  const probes = current?.reason === "blocked" ? current.probes + 1 : 0;
  const since = current?.reason === "blocked" ? current.since : now;
  const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
  return { reason: "blocked", message, since, until, probes };
};
