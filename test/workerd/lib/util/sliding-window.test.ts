import fc from "fast-check";
import { expect, it } from "vitest";
import { admit } from "../../../../src/lib/util/sliding-window.ts";

const LIMIT = 10;
const SPAN = 1_000;

const run = (times: readonly number[], limit = LIMIT, windowMs = SPAN) => {
  let hits: number[] = [];
  const admitted: number[] = [];
  const refused: { at: number; wait: number; inside: number }[] = [];
  for (const now of times) {
    const verdict = admit([{ limit, windowMs, hits }], now);
    hits = verdict.hits[0] ?? [];
    const inside = admitted.filter((at) => at > now - windowMs).length;
    if (verdict.ok) admitted.push(now);
    else refused.push({ at: now, wait: verdict.wait, inside });
  }
  return { admitted, refused };
};

const arrivals = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 2_000 })), { maxLength: 300 })
  .map((gaps) => {
    let now = 1_000_000;
    return gaps.map((gap) => (now += gap));
  });

it("never admits 11 in any 1 000 ms, and refuses only while 10 are in the window", () => {
  fc.assert(
    fc.property(arrivals, (times) => {
      const { admitted, refused } = run(times);
      admitted.forEach((at, i) => {
        const eleventh = admitted[i + LIMIT];
        if (eleventh !== undefined) expect(eleventh - at).toBeGreaterThanOrEqual(SPAN);
      });
      for (const { inside } of refused) expect(inside).toBe(LIMIT);
    }),
    { numRuns: 500 },
  );
});

it("gives a refused one its wait to the millisecond", () => {
  fc.assert(
    fc.property(arrivals, (times) => {
      for (const { at, wait } of run(times).refused) {
        const until = times.filter((time) => time <= at);
        expect(wait).toBeGreaterThan(0);
        expect(run([...until, at + wait - 1]).admitted).not.toContain(at + wait - 1);
        expect(run([...until, at + wait]).admitted).toContain(at + wait);
      }
    }),
    { numRuns: 50 },
  );
});

it("locks out for at most one window when the clock steps back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (back) => {
      const start = 2 * 10 ** 9;
      const full = Array.from({ length: LIMIT }, (_, i) => start + i);
      const now = start - back;
      const retries = Array.from({ length: 11 }, (_, i) => now + i * 100);
      const { admitted } = run([...full, ...retries]);
      expect(admitted.at(-1)).toBe(now + SPAN);
    }),
  );
});

it("needs room in every window, counts a refused one in none, and reports the tightest one", () => {
  const second = { limit: 2, windowMs: 1_000, hits: [10, 20] };
  const minute = { limit: 5, windowMs: 60_000, hits: [10, 20] };
  expect(admit([second, minute], 30)).toEqual({
    ok: false,
    limit: 2,
    remaining: 0,
    wait: 980,
    hits: [
      [10, 20],
      [10, 20],
    ],
  });
  expect(admit([second, minute], 1_010)).toMatchObject({
    ok: true,
    limit: 2,
    remaining: 0,
    hits: [
      [20, 1_010],
      [10, 20, 1_010],
    ],
  });
  const full = { limit: 3, windowMs: 60_000, hits: [10, 20, 1_010] };
  expect(admit([{ ...second, hits: [] }, full], 5_000)).toMatchObject({
    ok: false,
    limit: 3,
    remaining: 0,
    wait: 55_010,
  });
});
