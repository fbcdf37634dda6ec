import type { Handover } from "../../types/mail-handover.ts";
import { type Breaker, failed, type Guards, isOpen, opensAt, passage, probing } from "./breaker.ts";
import { eraseBreaker, type OpenBreaker, readBreakers, writeBreaker } from "./limit-rows.ts";
import { excerptOf } from "./limit-words.ts";

type Sign = "works" | "fails" | "nothing";

const isDown = (handover: Handover): boolean =>
  handover.outcome === "unknown" || (handover.outcome === "deferred" && handover.down === true);

const isLocal = (handover: Handover): boolean => "local" in handover && handover.local === true;

const signOfSender = (handover: Handover): Sign => {
  if (isLocal(handover)) return "nothing";
  return isDown(handover) ? "fails" : "works";
};

const signOfSettings = (handover: Handover): Sign => {
  if (isDown(handover)) return "nothing";
  if (handover.outcome === "deferred" && handover.configuration) return "fails";
  return isLocal(handover) ? "nothing" : "works";
};

/** The breakers of a team, in memory. Rows are written on opening and on each failed probe. */
export const createBreakers = (sql: SqlStorage) => {
  let known: Map<string, OpenBreaker> | undefined;
  const all = (now: number): Map<string, OpenBreaker> => {
    known ??= new Map(readBreakers(sql, now).map(({ route, breaker }) => [route, breaker]));
    return known;
  };
  /** Ends a probe without result, so another mail can be the probe. */
  const released = (n: number, now: number): void => {
    for (const [route, { probe, ...rest }] of all(now)) if (probe?.n === n) all(now).set(route, rest);
  };
  const learn = (
    name: string,
    sign: Sign,
    { n, message, use }: { n: number; message: string; use: string },
    now: number,
  ) => {
    const before = all(now).get(name);
    if (sign === "fails") {
      const uses = [...new Set([...(before?.uses ?? []), use])];
      const breaker = { ...failed(before, n, now, excerptOf(message)), uses };
      all(now).set(name, breaker);
      if (isOpen(breaker) && breaker.probeAt !== before?.probeAt) writeBreaker(sql, name, breaker, now);
    } else if (sign === "works" && before) {
      all(now).delete(name);
      if (isOpen(before)) eraseBreaker(sql, name);
    }
  };
  return {
    anyOpen: (now: number): boolean => [...all(now).values()].some(isOpen),
    get: (route: string, now: number): Breaker | undefined => all(now).get(route),
    passage: (route: string, now: number) => passage(all(now).get(route), now),
    opensAt(route: string, now: number): number {
      const breaker = all(now).get(route);
      return isOpen(breaker) ? opensAt(breaker) : 0;
    },
    probe(route: string, n: number, now: number): void {
      const breaker = all(now).get(route);
      if (isOpen(breaker)) all(now).set(route, { ...breaker, ...probing(breaker, n, now) });
    },
    heard({ sender, settings }: Guards, n: number, handover: Handover, use: string, now: number): void {
      const mail = { n, message: "message" in handover ? handover.message : "", use };
      learn(sender, signOfSender(handover), mail, now);
      learn(settings, signOfSettings(handover), mail, now);
      released(n, now);
    },
    released,
  };
};
