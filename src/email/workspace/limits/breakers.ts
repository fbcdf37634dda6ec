import type { Handover } from "../../types/mail.ts";
import { type Breaker, failed, isOpen, opensAt, passage, probing } from "./breaker.ts";
import { eraseBreaker, type OpenBreaker, readBreakers, writeBreaker } from "./rows.ts";
import { withoutAddresses } from "./words.ts";

type Down = Extract<Handover, { outcome: "deferred" | "unknown" }>;

/** The relay was not reached, or gave no answer. */
const isDown = (handover: Handover): handover is Down =>
  handover.outcome === "unknown" || (handover.outcome === "deferred" && handover.down === true);

/** The breakers of a team by route, in memory. The row of an open one is written when it opens and with each probe that fails. */
export const createBreakers = (sql: SqlStorage) => {
  let known: Map<string, OpenBreaker> | undefined;
  const all = (now: number): Map<string, OpenBreaker> => {
    known ??= new Map(readBreakers(sql, now).map(({ route, breaker }) => [route, breaker]));
    return known;
  };
  return {
    anyOpen: (now: number): boolean => [...all(now).values()].some(isOpen),
    get: (route: string, now: number): Breaker | undefined => all(now).get(route),
    passage: (route: string, now: number) => passage(all(now).get(route), now),
    /** When a route lets mail through, in Unix ms; 0 when it does now. */
    opensAt(route: string, now: number): number {
      const breaker = all(now).get(route);
      return isOpen(breaker) ? opensAt(breaker) : 0;
    },
    /** The mail that is claimed is the probe of an open breaker. */
    probe(route: string, n: number, now: number): void {
      const breaker = all(now).get(route);
      if (isOpen(breaker)) all(now).set(route, { ...breaker, ...probing(breaker, n, now) });
    },
    /** `use`: class and From domain of the mail. */
    heard(route: string, n: number, handover: Handover, use: string, now: number): void {
      const before = all(now).get(route);
      if (isDown(handover)) {
        const uses = [...new Set([...(before?.uses ?? []), use])];
        const breaker = { ...failed(before, n, now, withoutAddresses(handover.message)), uses };
        all(now).set(route, breaker);
        if (isOpen(breaker) && breaker.probeAt !== before?.probeAt) writeBreaker(sql, route, breaker, now);
      } else if (before) {
        all(now).delete(route);
        if (isOpen(before)) eraseBreaker(sql, route);
      }
    },
    /** The mail was never handed over: a probe is free again. */
    released(n: number, now: number): void {
      for (const [route, { probe, ...rest }] of all(now)) if (probe?.n === n) all(now).set(route, rest);
    },
  };
};
