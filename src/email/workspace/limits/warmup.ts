import { DAY_MS } from "../../../lib/util/dates.ts";

/**
 * Daily limits for a new sending domain, after https://postmarkapp.com/guides/how-to-warm-up-a-domain. Only used days
 * count, as in https://help.leadconnectorhq.com/support/solutions/articles/155000005243-domain-warmup-how-it-works
 */
export const SCHEDULE: readonly number[] = [
  500, 1_000, 2_000, 4_000, 8_000, 12_000, 18_000, 27_000, 40_000, 60_000, 90_000, 135_000, 200_000,
];

/**
 * `step`: schedule index. `day`: UTC day of the counts. `capsTransactional`: set by an operator; by default
 * transactional mail never waits.
 */
export type Warmup = {
  step: number;
  day: number;
  marketing: number;
  transactional: number;
  capsTransactional: boolean;
};

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Returns the daily maximum; infinity after the schedule. */
export const capOf = (step: number): number => SCHEDULE[step] ?? Number.POSITIVE_INFINITY;

export const newWarmup = (now: number): Warmup => ({
  step: 0,
  day: dayOf(now),
  marketing: 0,
  transactional: 0,
  capsTransactional: false,
});

const totalOf = ({ marketing, transactional }: Warmup): number => marketing + transactional;

/** Resets counts on a new day and advances the step if half of the cap was used. */
export const onDay = (warmup: Warmup, now: number): Warmup => {
  const day = dayOf(now);
  if (day <= warmup.day) return warmup;
  const wasUsed = totalOf(warmup) >= capOf(warmup.step) / 2;
  return { ...warmup, day, marketing: 0, transactional: 0, step: warmup.step + (wasUsed ? 1 : 0) };
};

export const leftOf = (warmup: Warmup): number => Math.max(0, capOf(warmup.step) - totalOf(warmup));

export const isWarm = ({ step }: Warmup): boolean => step >= SCHEDULE.length;

/** Returns the wait in days and adds the mail to `booked` (waiting mails by UTC day). */
export const bookDay = (warmup: Warmup, booked: Map<number, number>): number => {
  for (let days = 1; ; days += 1) {
    const day = warmup.day + days;
    const taken = booked.get(day) ?? 0;
    if (taken >= capOf(warmup.step + days)) continue;
    booked.set(day, taken + 1);
    return days;
  }
};
