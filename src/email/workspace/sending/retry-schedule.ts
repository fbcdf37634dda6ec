import { DAY_MS, HOUR_MS } from "../../../lib/util/dates.ts";
import { fullJitter } from "../../../lib/util/jitter.ts";

/** A mail is retried for this long from its start. */
export const GIVE_UP_MS = DAY_MS;
const BASE_MS = 1_000;
const CAP_MS = HOUR_MS;

type Deferred = { attempts: number; retryAfter: number; startedAt: number; notBefore: number };

/**
 * Returns the next attempt after a 4xx answer in Unix ms; undefined after 24 hours. `retryAfter`: requested wait in ms.
 * `notBefore`: earliest due time in Unix ms.
 */
export const nextAttempt = (
  { attempts, retryAfter, startedAt, notBefore }: Deferred,
  now: number,
  random: number,
): number | undefined => {
  const wait = Math.max(Math.min(retryAfter, CAP_MS), fullJitter(attempts, random, BASE_MS, CAP_MS));
  const due = Math.max(notBefore, now + wait);
  return due - startedAt < GIVE_UP_MS ? due : undefined;
};

/** Returns the end of an unknown outcome in Unix ms. Values are kept until then, so that a person can send it again. */
export const endOfUnknown = (startedAt: number, now: number): number => Math.max(now, startedAt + GIVE_UP_MS);
