import { DAY_MS } from "../../../lib/util/dates.ts";

/**
 * Most mails of a new sending domain on each day of its warm-up. Postmark's guide starts with 100 to 500 mails to each large
 * receiver, doubles daily, and grows by 20 to 50 % a day once the volume is substantial:
 * https://postmarkapp.com/guides/how-to-warm-up-a-domain. A day counts when it was used, as in HighLevel's published stages:
 * https://help.leadconnectorhq.com/support/solutions/articles/155000005243-domain-warmup-how-it-works
 */
export const SCHEDULE: readonly number[] = [
  500, 1_000, 2_000, 4_000, 8_000, 12_000, 18_000, 27_000, 40_000, 60_000, 90_000, 135_000, 200_000,
];

/**
 * The warm-up of a sending domain. `step`: index into the schedule. `day`: UTC day of the counts. `capsTransactional`: an
 * operator has asked for it; by default transactional mail is counted and never waits.
 */
export type Warmup = {
  step: number;
  day: number;
  marketing: number;
  transactional: number;
  capsTransactional: boolean;
};

export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Most mails of a day of the schedule; infinity after its end. */
export const capOf = (step: number): number => SCHEDULE[step] ?? Number.POSITIVE_INFINITY;

export const newWarmup = (now: number): Warmup => ({
  step: 0,
  day: dayOf(now),
  marketing: 0,
  transactional: 0,
  capsTransactional: false,
});

const totalOf = ({ marketing, transactional }: Warmup): number => marketing + transactional;

/** The warm-up on the day of `now`: counts of an earlier day end, and its step if half of its cap was used. */
export const onDay = (warmup: Warmup, now: number): Warmup => {
  const day = dayOf(now);
  if (day <= warmup.day) return warmup;
  const wasUsed = totalOf(warmup) >= capOf(warmup.step) / 2;
  return { ...warmup, day, marketing: 0, transactional: 0, step: warmup.step + (wasUsed ? 1 : 0) };
};

/** Mails that may still start today. */
export const leftOf = (warmup: Warmup): number => Math.max(0, capOf(warmup.step) - totalOf(warmup));

/** True when the domain needs no warm-up any more. */
export const isWarm = ({ step }: Warmup): boolean => step >= SCHEDULE.length;

/**
 * The number of days that a mail over the cap waits: it gets the first day that has room. `booked`: mails that wait already, by
 * UTC day; the mail is added to it.
 */
export const bookDay = (warmup: Warmup, booked: Map<number, number>): number => {
  for (let days = 1; ; days += 1) {
    const day = warmup.day + days;
    const taken = booked.get(day) ?? 0;
    if (taken >= capOf(warmup.step + days)) continue;
    booked.set(day, taken + 1);
    return days;
  }
};
