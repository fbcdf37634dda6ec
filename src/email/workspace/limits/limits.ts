import { DAY_MS, HOUR_MS } from "../../../lib/util/dates.ts";
import { domainOf } from "../../delivery/mailer/compose-mail.ts";
import type { Handover, MailClass } from "../../types/mail-handover.ts";
import type { DayRows } from "../core/day-rows.ts";
import { hasOpenWaves, waitingDestinations } from "../waves/wave-rows.ts";
import { guardsOf, waitsUntil } from "./breaker.ts";
import { destinationOf } from "./destinations.ts";
import type { CeilingName } from "./limit-rows.ts";
import { breakerInWords, ceilingInWords, waveInWords } from "./limit-words.ts";
import { createMeter } from "./meter.ts";
import { createBreakers } from "./team-breakers.ts";
import { createCeilings, isAdmitted, keyOf, take, takeSlot } from "./team-ceilings.ts";
import { createWarmups } from "./team-warmups.ts";
import { createSendLimits } from "./windows/team-windows.ts";

/** A claimable mail. `waited`: it was delayed or deferred. */
export type Candidate = { n: number; recipient: string; messageId: string; attempts: number; waited: boolean };
/**
 * A mail that waits until `due` (Unix ms). `isNotLate`: its 24 hours start then; `again`: also after an attempt, because a
 * person lets it wait.
 */
export type PutOff = { n: number; due: number; reason: string; isNotLate: boolean; again?: true };

type Heard = { n: number; mailClass: MailClass; recipient: string; messageId: string; handover: Handover };

export type LimitDependencies = {
  sql: SqlStorage;
  /** Returns the account at a mail provider; undefined for the inbox, which has no limits. */
  routeOf(mailClass: MailClass, domain: string): string | undefined;
  onlyRoute(mailClass: MailClass): string | undefined;
  lanes(mailClass: MailClass): number;
  sendersChanged?(): void;
  dayRows?: DayRows;
};

const namesOf = (mailClass: MailClass, route: string, recipient: string): CeilingName[] => [
  { mailClass, kind: "account", destination: route },
  { mailClass, kind: "domain", destination: destinationOf(recipient) },
];

/** The limits of one team's mail, in memory; learned values are stored in rows. */
export const createLimits = (dependencies: LimitDependencies) => {
  const { sql, routeOf, onlyRoute, lanes, dayRows, sendersChanged = () => {} } = dependencies;
  const parts = {
    meter: createMeter(),
    warmups: createWarmups(sql),
    ceilings: createCeilings(sql),
    breakers: createBreakers(sql),
  };
  const { warmups, ceilings, breakers } = parts;
  const sendLimits = createSendLimits(sql);
  const rowsOpenAt = (mailClass: MailClass, now: number): number =>
    mailClass === "marketing" ? (dayRows?.opensAt("workflows", now) ?? 0) : 0;
  return {
    warmups,
    sendLimits,
    isQuiet: (mailClass: MailClass, now: number): boolean =>
      !(
        warmups.any() ||
        breakers.anyOpen(now) ||
        ceilings.has(mailClass, now) ||
        (mailClass === "marketing" && hasOpenWaves(sql))
      ),
    passage(mailClass: MailClass, now: number) {
      if (rowsOpenAt(mailClass, now) > now) return "none";
      const route = onlyRoute(mailClass);
      return route === undefined ? "all" : breakers.passage(route, now);
    },
    opensAt: (mailClass: MailClass, now: number): number =>
      Math.max(
        breakers.opensAt(onlyRoute(mailClass) ?? "", now),
        rowsOpenAt(mailClass, now),
        // Transactional mail does not wait for send limits.
        mailClass === "marketing" ? sendLimits.opensAt(now) : 0,
      ),
    sieve(now: number, mailClass: MailClass, mails: readonly Candidate[]): { taken: number[]; putOff: PutOff[] } {
      const taken: number[] = [];
      const putOff: PutOff[] = [];
      // Transactional mail is urgent.
      const held = mailClass === "marketing" ? waitingDestinations(sql) : undefined;
      for (const mail of mails) {
        const destination = held?.size ? destinationOf(mail.recipient) : "";
        const wave = held?.get(destination);
        if (wave !== undefined) {
          const reason = waveInWords(wave, destination);
          putOff.push({ n: mail.n, due: now + HOUR_MS, reason, isNotLate: true, again: true });
          continue;
        }
        const domain = domainOf(mail.messageId);
        const route = routeOf(mailClass, domain);
        const why = route === undefined ? undefined : decide(parts, { now, mailClass, domain, route, mail });
        if (why) putOff.push({ n: mail.n, ...why });
        else taken.push(mail.n);
      }
      warmups.flush(now);
      return { taken, putOff };
    },
    heard(now: number, heard: Heard): number | undefined {
      const route = routeOf(heard.mailClass, domainOf(heard.messageId));
      if (route === undefined) return undefined;
      const guards = Object.values(guardsOf(route, domainOf(heard.messageId)));
      const opensAt = () => guards.map((guard) => breakers.opensAt(guard, now)).join();
      const before = opensAt();
      const notBefore = learn(parts, now, route, heard, lanes(heard.mailClass));
      if (opensAt() !== before) sendersChanged();
      return notBefore;
    },
    released(now: number, n: number): void {
      ceilings.released(n, now);
      breakers.released(n, now);
    },
  };
};

export type Limits = ReturnType<typeof createLimits>;

type Parts = {
  meter: ReturnType<typeof createMeter>;
  warmups: ReturnType<typeof createWarmups>;
  ceilings: ReturnType<typeof createCeilings>;
  breakers: ReturnType<typeof createBreakers>;
};
type Deciding = { now: number; mailClass: MailClass; domain: string; route: string; mail: Candidate };

const decide = (parts: Parts, { now, mailClass, domain, route, mail }: Deciding): Omit<PutOff, "n"> | undefined => {
  const { warmups, ceilings, breakers } = parts;
  const guards = Object.values(guardsOf(route, domain));
  for (const guard of guards) {
    const breaker = breakers.get(guard, now);
    if (breaker && breakers.passage(guard, now) === "none")
      return { due: waitsUntil(breaker, now), reason: breakerInWords(guard, breaker), isNotLate: false };
  }
  const full = warmups.full(now, mailClass, domain, mail);
  if (full) return { due: now + full.days * DAY_MS, reason: full.reason, isNotLate: true };
  const inUse = ceilings.among(namesOf(mailClass, route, mail.recipient), now);
  const refusing = inUse.filter((one) => !isAdmitted(one, now, mail.waited));
  const [first] = refusing;
  if (first) {
    const due = Math.max(...refusing.map((one) => takeSlot(one, now)));
    return { due, reason: ceilingInWords(first.name, first.ceiling), isNotLate: mailClass === "marketing" };
  }
  for (const one of inUse) take(one, mail.n, now);
  for (const guard of guards) if (breakers.passage(guard, now) === "one") breakers.probe(guard, mail.n, now);
  warmups.count(now, mailClass, domain, mail);
  return undefined;
};

const learn = (
  { meter, ceilings, breakers }: Parts,
  now: number,
  route: string,
  { n, mailClass, recipient, messageId, handover }: Heard,
  lanes: number,
): number | undefined => {
  const names = namesOf(mailClass, route, recipient);
  const isLocal = "local" in handover && handover.local === true;
  if (!isLocal) for (const name of names) meter.add(keyOf(name), now);
  breakers.heard(guardsOf(route, domainOf(messageId)), n, handover, `${mailClass} ${domainOf(messageId)}`, now);
  const inUse = ceilings.among(names, now);
  for (const { claimed } of inUse) claimed.delete(n);
  if (handover.outcome === "accepted") for (const one of inUse) ceilings.raise(one, now);
  if (handover.outcome !== "deferred" || !handover.throttled) return undefined;
  const name = names.find(({ kind }) => kind === handover.throttled) as CeilingName;
  const load = { perMinute: meter.perMinute(keyOf(name), now), inFlight: lanes };
  return takeSlot(ceilings.lower(name, load, now, handover), now);
};
