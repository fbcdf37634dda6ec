import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/util/dates.ts";
import { equalJitter, fullJitter } from "../../../lib/util/jitter.ts";

/** A mail is retried for this long from its start. */
export const GIVE_UP_MS = DAY_MS;
const BASE_MS = 1_000;
const CAP_MS = HOUR_MS;

/** Minutes before the first retries of a patient mail: they come after 1, 5 and 15 minutes. */
const PATIENT = [1, 4, 10];
/** Ms, at most; a wait is at least half of it. */
const PATIENT_MS = HOUR_MS / 2;

type Deferred = { attempts: number; retryAfter: number; patient?: boolean; startedAt: number; notBefore: number };

/**
 * Returns the next attempt after a 4xx answer in Unix ms; undefined after 24 hours. `retryAfter`: requested wait in ms.
 * `patient`: a greylist may have refused it. `notBefore`: earliest due time in Unix ms.
 */
export const nextAttempt = (
  { attempts, retryAfter, patient = false, startedAt, notBefore }: Deferred,
  now: number,
  random: number,
): number | undefined => {
  const usual = patient ? patientWait(attempts, random) : fullJitter(attempts, random, BASE_MS, CAP_MS);
  const wait = Math.max(Math.min(retryAfter, CAP_MS), usual);
  const due = Math.max(notBefore, now + wait);
  return due - startedAt < GIVE_UP_MS ? due : undefined;
};

/** A greylist compares times, so the first waits are at most a tenth longer. */
const patientWait = (attempts: number, random: number): number => {
  const minutes = PATIENT[attempts - 1];
  if (minutes === undefined) return equalJitter(attempts - PATIENT.length, random, PATIENT_MS, CAP_MS);
  return Math.round(minutes * MINUTE_MS * (1 + random / 10));
};

/** Returns the end of an unknown outcome in Unix ms. Values are kept until then, so that a person can send it again. */
export const endOfUnknown = (startedAt: number, now: number): number => Math.max(now, startedAt + GIVE_UP_MS);
