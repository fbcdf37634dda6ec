import type { Claim } from "../../types/mailer.ts";
import { keyOf } from "./started.ts";

/** How long a recall is remembered, in ms: longer than a lease and the questions after it. */
const KEPT_MS = 600_000;

/**
 * Claims that the Workspace has recalled, and that this Mailer certainly does not start. They are in memory only: a mail that was recalled on
 * its way, and arrives after a crash, leaves within its lease.
 */
export const createRecalled = () => {
  const until = new Map<string, number>();
  return {
    add(claims: readonly Claim[], now: number): void {
      for (const [key, end] of until) if (end <= now) until.delete(key);
      for (const claim of claims) until.set(keyOf(claim), now + KEPT_MS);
    },
    has: (claim: Claim): boolean => until.has(keyOf(claim)),
  };
};
