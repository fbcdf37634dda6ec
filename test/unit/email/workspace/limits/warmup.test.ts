import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bookDay,
  capOf,
  isWarm,
  leftOf,
  newWarmup,
  onDay,
  SCHEDULE,
  type Warmup,
} from "../../../../../src/email/workspace/limits/warmup.ts";

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 0, 1, 12);

describe("a warm-up", () => {
  it("begins with 500 mails a day and grows every day that is used", () => {
    let warmup = newWarmup(NOON);
    const caps: number[] = [];
    for (let day = 0; !isWarm(warmup); day += 1) {
      warmup = onDay(warmup, NOON + day * DAY);
      if (isWarm(warmup)) break;
      caps.push(leftOf(warmup));
      warmup = { ...warmup, marketing: leftOf(warmup) };
    }
    expect(caps).toEqual([...SCHEDULE]);
    expect(SCHEDULE.every((cap, n) => n === 0 || cap <= 2 * (SCHEDULE[n - 1] as number))).toBe(true);
  });

  it("stays at its step through days on which less than half of the cap left", () => {
    const used = { ...newWarmup(NOON), marketing: 100, transactional: 100 };
    expect(onDay(used, NOON + 9 * DAY)).toEqual({ ...newWarmup(NOON + 9 * DAY), step: 0 });
    expect(onDay({ ...used, transactional: 150 }, NOON + DAY)).toMatchObject({
      step: 1,
      marketing: 0,
      transactional: 0,
    });
  });

  it("counts transactional mail, which may go over the cap", () => {
    expect(leftOf({ ...newWarmup(NOON), transactional: 700 })).toBe(0);
  });

  it("keeps its counts when the clock steps back over midnight", () => {
    const used = { ...newWarmup(NOON), marketing: 500 };
    expect(onDay(used, NOON - DAY)).toBe(used);
  });

  it("spreads a large campaign over the days that have room", () => {
    const full: Warmup = { ...newWarmup(NOON), marketing: 500 };
    const booked = new Map<number, number>();
    const days = Array.from({ length: 8_000 }, () => bookDay(full, booked));
    expect([1, 2, 3, 4].map((day) => days.filter((one) => one === day).length)).toEqual([1_000, 2_000, 4_000, 1_000]);
  });

  it("never books more for a day than its cap, and never a day before tomorrow", () => {
    fc.assert(
      fc.property(fc.nat(SCHEDULE.length - 1), fc.integer({ min: 1, max: 20_000 }), (step, mails) => {
        const warmup = { ...newWarmup(NOON), step, marketing: capOf(step) };
        const booked = new Map<number, number>();
        for (let n = 0; n < mails; n += 1) expect(bookDay(warmup, booked)).toBeGreaterThanOrEqual(1);
        for (const [day, count] of booked) expect(count).toBeLessThanOrEqual(capOf(step + day - warmup.day));
        expect([...booked.values()].reduce((a, b) => a + b, 0)).toBe(mails);
      }),
      { numRuns: 30 },
    );
  });
});
