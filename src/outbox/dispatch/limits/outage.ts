import type { Interruption } from "../../model/interruption.ts";
import { downOf, isHeard, type Outcome } from "../../model/outcome.ts";

/** Calls since the last answer in the form of the API. */
export type Silence = {
  /** Start of the first of them, Unix ms. */
  since: number;
  /** Start of the first that failed, Unix ms. */
  failed?: number;
  /** People behind failed calls; the gateway counts as one. */
  people: readonly string[];
  /** Keys of their deliveries in the queue. */
  keys: readonly string[];
};

const MANY = 5;
/** Milliseconds without an answer of the API. */
const LONG = 10_000;
/** Milliseconds. A probe then has as long again to answer. */
export const ASK_AFTER = 5_000;
const FIRST_PROBE = 1_000;
const SLOWEST_PROBE = 60_000;
/** Milliseconds. Longest wait where probes are answered and deliveries are not. */
const SLOWEST_RELAPSE = 10_000;
const MAX_KEYS = 100;

/**
 * Returns the silence after an outcome that {@link isOld} does not leave out.
 *
 * @param since start of a new silence, Unix ms
 */
export const silenceAfter = (
  known: Silence | undefined,
  outcome: Outcome,
  { person, key, startedAt }: { person?: string; key?: string; startedAt: number },
  since: number,
): Silence | undefined => {
  if (isHeard(outcome)) return undefined;
  const silence: Silence = known ?? { since, people: [], keys: [] };
  if (downOf(outcome) === undefined) return silence;
  const { failed = startedAt, people, keys } = silence;
  return { ...silence, failed, people: added(people, person, MANY), keys: added(keys, key, MAX_KEYS) };
};

/** True for the answer to a call older than the first failed one: it says nothing about the host now. Unix ms. */
export const isOld = (known: Silence | undefined, outcome: Outcome, startedAt: number, now: number): boolean =>
  // After the clock was set back, every answer counts.
  isHeard(outcome) && known?.failed !== undefined && startedAt < known.failed && known.failed <= now;

/** Writes that failed since the last answered one: reads may be answered all the while. Unix ms. */
export type Unwritten = {
  /** Start of the first of them. */
  since: number;
  /** End of the newest. */
  failedAt: number;
  people: readonly string[];
};

/** People with failed writes: one alone may be the cause of it. */
const SEVERAL = 2;

/**
 * Returns the failed writes after the outcome of a write.
 *
 * @param writtenAt time of the last answered write, Unix ms
 */
export const unwrittenAfter = (
  known: Unwritten | undefined,
  outcome: Outcome,
  { person, startedAt }: { person: string; startedAt: number },
  writtenAt: number,
  now: number,
): Unwritten | undefined => {
  if (isHeard(outcome)) return known && startedAt < known.since && known.since <= now ? known : undefined;
  if (downOf(outcome) === undefined) return known;
  // Failures far apart are not in a row: nothing else may have been sent between them.
  const isRow = known !== undefined && Math.abs(startedAt - known.failedAt) <= SLOWEST_PROBE;
  const { since, people } = isRow ? known : { since: Math.min(now, Math.max(startedAt, writtenAt)), people: [] };
  return { since, failedAt: now, people: added(people, person, MANY) };
};

/** True if the writes without an answer concern many people, or several for long. */
export const isReadOnly = ({ since, people }: Unwritten, now: number): boolean =>
  people.length >= MANY || (people.length >= SEVERAL && now - since >= LONG);

const added = (list: readonly string[], one: string | undefined, most: number): readonly string[] =>
  one === undefined || list.length >= most || list.includes(one) ? list : [...list, one];

/** True if the calls without an answer are many, or last long. */
export const isOutage = ({ since, people }: Silence, now: number): boolean =>
  people.length >= MANY || now - since >= LONG;

/** Returns when a probe has to ask, Unix ms. `askedAt`: start of the last one. */
export const nextAsk = ({ since }: Silence, askedAt: number): number => {
  if (askedAt < since) return since + ASK_AFTER;
  return askedAt < since + LONG ? since + LONG : Number.POSITIVE_INFINITY;
};

/**
 * A delivery that an answered probe lets through in an outage. `key`: of the delivery, once it has begun; `until`: then a
 * probe asks again, Unix ms.
 */
export type Trial = { key?: string; until: number };

/** Milliseconds in which it must begin, and in which it is answered. */
const TRIAL = { begins: 5_000, ends: 15_000 };

export const trialAt = (now: number, key?: string): Trial =>
  key === undefined ? { until: now + TRIAL.begins } : { key, until: now + TRIAL.ends };

/** Returns when a delivery may be tried before its time, Unix ms. `failed`: trials since the outage began. */
export const mayHastenAt = (triedAt: number, failed: number): number =>
  triedAt + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(failed, 10));

/** Returns the outage after a probe that was answered, and a delivery that was not or cannot be tried yet. */
export const outageAfterTrial = (
  current: Interruption,
  message: string,
  failed: number,
  now: number,
): Interruption => ({
  ...current,
  message,
  until: now + Math.min(SLOWEST_RELAPSE, FIRST_PROBE * 2 ** Math.min(failed, 10)),
});

/** An outage that ended a moment ago. `relapses`: outages since a delivery was answered. Unix ms. */
export type Ended = { since: number; at: number; relapses: number };

const isSame = (ended: Ended | undefined, now: number): ended is Ended =>
  ended !== undefined && now - ended.at < SLOWEST_PROBE;

/** Starts an outage, or goes on with one that a probe ended and no delivery. */
export const outageFrom = (
  message: string,
  { since }: Pick<Silence, "since">,
  ended: Ended | undefined,
  lastSuccess: number | undefined,
  now: number,
): Interruption => {
  const relapses = isSame(ended, now) ? ended.relapses : 0;
  return {
    reason: "outage",
    message,
    since: isSame(ended, now) ? ended.since : since,
    until: now + Math.min(SLOWEST_RELAPSE, FIRST_PROBE * 2 ** Math.min(relapses, 10)),
    probes: 0,
    ...(lastSuccess === undefined ? {} : { lastSuccess }),
  };
};

/** Returns the outage after one more failed probe. `isIdle`: nothing could be sent. */
export const outageAgain = (current: Interruption, message: string, isIdle: boolean, now: number): Interruption => {
  const probes = current.probes + 1;
  const wait = isIdle ? SLOWEST_PROBE : Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
  return { ...current, message, probes, until: now + wait };
};

/** Notes the end of an outage. */
export const endedAt = ({ since }: Interruption, ended: Ended | undefined, now: number): Ended => ({
  since,
  at: now,
  relapses: isSame(ended, now) ? ended.relapses + 1 : 1,
});
