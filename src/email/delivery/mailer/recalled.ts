import type { Claim } from "../../types/mailer-rpc.ts";
import { keyOf } from "./started.ts";

/** Milliseconds, longer than a lease and its questions. */
const KEPT_MS = 600_000;

/** Remembers recalled claims in memory only. After a crash, mail in transit is sent within its lease. */
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
