import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admits,
  book,
  type Ceiling,
  clean,
  droppedAt,
  refilled,
  throttled,
} from "../../../../../src/email/workspace/limits/ceiling.ts";

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const answer = { message: "421 slow down" };
const load = { perMinute: 600, inFlight: 24 };

describe("a ceiling", () => {
  it("starts at half of what left, and halves again down to one mail a minute", () => {
    let ceiling = throttled(undefined, load, NOW, answer, "marketing");
    expect(ceiling).toMatchObject({ perMinute: 300, inFlight: 12, since: NOW, message: answer.message });
    for (let n = 1; n <= 12; n += 1) ceiling = throttled(ceiling, load, NOW + n * MINUTE, answer, "marketing");
    expect(ceiling).toMatchObject({ perMinute: 1, inFlight: 2, since: NOW });
  });

  it.each([0, 1, 12, 600])(
    "lets ten transactional mails a minute pass, however little left before: %i",
    (perMinute) => {
      let ceiling = throttled(undefined, { perMinute, inFlight: 24 }, NOW, answer, "transactional");
      for (let n = 1; n <= 12; n += 1) ceiling = throttled(ceiling, load, NOW + n * MINUTE, answer, "transactional");
      expect(ceiling).toMatchObject({ perMinute: 10, inFlight: 2 });
      let [now, started] = [ceiling.halvedAt, 0];
      for (let look = 0; look < 600; look += 1) {
        now += 100;
        ceiling = refilled(ceiling, now);
        if (!admits(ceiling, now, { waited: true, claimed: 1 })) continue;
        ceiling = { ...ceiling, tokens: ceiling.tokens - 1 };
        started += 1;
      }
      expect(started).toBeGreaterThanOrEqual(9);
      expect(started).toBeLessThanOrEqual(10);
    },
  );

  it("begins at half of what left, not lower: transactional mail of 60 a minute goes on with 30", () => {
    expect(throttled(undefined, { perMinute: 60, inFlight: 12 }, NOW, answer, "transactional").perMinute).toBe(30);
  });

  it("is halved once for a burst of answers, and keeps the longest pause that they ask for", () => {
    const first = throttled(undefined, load, NOW, { ...answer, retryAfter: 300_000 }, "marketing");
    const second = throttled(first, load, NOW + 2_000, { message: "452 again", retryAfter: 1_000 }, "marketing");
    expect(second).toMatchObject({ perMinute: 300, inFlight: 12, resumeAt: NOW + 300_000, throttledAt: NOW + 2_000 });
    expect(second.message).toBe("452 again");
    expect(admits({ ...second, tokens: 1 }, NOW + 299_000, { waited: true, claimed: 0 })).toBe(false);
  });

  it("grows by a tenth of its rate for each minute without throttling, so that ten of them undo a halving", () => {
    let ceiling = throttled(undefined, load, NOW, answer, "marketing");
    for (let minute = 1; minute <= 10; minute += 1) {
      ceiling = clean(ceiling, NOW + minute * MINUTE);
      ceiling = clean(ceiling, NOW + minute * MINUTE + 1);
    }
    expect(ceiling).toMatchObject({ perMinute: 600, inFlight: 24 });
  });

  it("is dropped six hours after the last throttling answer", () => {
    const first = throttled(undefined, load, NOW, answer, "marketing");
    expect(droppedAt(throttled(first, load, NOW + HOUR, answer, "marketing"))).toBe(NOW + 7 * HOUR);
  });

  it("lets mails in behind those that wait", () => {
    const ceiling = { ...throttled(undefined, load, NOW, answer, "marketing"), tokens: 1, bookedUntil: NOW + 5_000 };
    expect(admits(ceiling, NOW, { waited: false, claimed: 0 })).toBe(false);
    expect(admits(ceiling, NOW, { waited: true, claimed: 0 })).toBe(true);
    expect(admits(ceiling, NOW, { waited: true, claimed: 12 })).toBe(false);
    expect(admits({ ...ceiling, tokens: 0.5 }, NOW, { waited: true, claimed: 0 })).toBe(false);
  });

  it("books times one after the other, none further away than an hour", () => {
    let ceiling: Ceiling = { ...throttled(undefined, load, NOW, answer, "marketing"), perMinute: 1 };
    const bookedTimes = Array.from({ length: 100 }, () => {
      const booked = book(ceiling, NOW);
      ({ ceiling } = booked);
      return booked.bookedAt;
    });
    expect(bookedTimes.slice(0, 3)).toEqual([NOW + MINUTE, NOW + 2 * MINUTE, NOW + 3 * MINUTE]);
    expect(bookedTimes.at(-1)).toBe(NOW + HOUR);
  });
});

type Step = { ms: number; what: "take" | "throttle" | "accept" };
const steps = fc.array(
  fc.record({ ms: fc.integer({ min: 0, max: 120_000 }), what: fc.constantFrom("take", "throttle", "accept") }),
  { maxLength: 300 },
) as fc.Arbitrary<Step[]>;

describe("whatever happens", () => {
  it("a ceiling stays above zero, and no more mails start than its rate and its savings allow", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 100_000 }), (all, perMinute) => {
        let now = NOW;
        let ceiling = throttled(undefined, { perMinute, inFlight: 6 }, now, answer, "marketing");
        let started = 0;
        let allowed = 0;
        for (const { ms, what } of all) {
          allowed += (ms / MINUTE) * ceiling.perMinute;
          now += ms;
          ceiling = refilled(ceiling, now);
          if (what === "throttle")
            ceiling = throttled(ceiling, { perMinute: 600, inFlight: 6 }, now, answer, "marketing");
          else if (what === "accept") ceiling = clean(ceiling, now);
          else if (admits(ceiling, now, { waited: true, claimed: 0 })) {
            ceiling = { ...ceiling, tokens: ceiling.tokens - 1 };
            started += 1;
          }
          expect(ceiling.perMinute).toBeGreaterThanOrEqual(1);
          expect(ceiling.inFlight).toBeGreaterThanOrEqual(1);
          expect(ceiling.tokens).toBeGreaterThanOrEqual(0);
          expect(started).toBeLessThanOrEqual(allowed + 1e-6);
        }
      }),
    );
  });

  it("a mail that waits for its booked time is sent in the end", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 200 }), (perMinute, mails) => {
        let now = NOW;
        let ceiling: Ceiling = { ...throttled(undefined, load, now, answer, "marketing"), perMinute };
        const due = Array.from({ length: mails }, () => now);
        let looks = 0;
        while (due.length > 0) {
          due.sort((a, b) => a - b);
          now = Math.max(now, due.shift() as number);
          ceiling = refilled(ceiling, now);
          if (admits(ceiling, now, { waited: looks > mails, claimed: 0 })) {
            ceiling = { ...ceiling, tokens: ceiling.tokens - 1 };
          } else {
            const booked = book(ceiling, now);
            ({ ceiling } = booked);
            due.push(booked.bookedAt);
          }
          looks += 1;
          expect(looks).toBeLessThanOrEqual(8 * mails + 8);
        }
        expect(now - NOW).toBeLessThanOrEqual(((mails + 2) / perMinute) * MINUTE * 2 + 2 * HOUR);
      }),
    );
  });

  it("a clock that steps back gives no mails away", () => {
    const ceiling = throttled(undefined, load, NOW, answer, "marketing");
    expect(refilled(ceiling, NOW - HOUR).tokens).toBe(0);
  });
});
