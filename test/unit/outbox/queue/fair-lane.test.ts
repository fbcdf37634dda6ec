import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairLane, enter, nextIn, nextOf, takeTurn } from "../../../../src/outbox/queue/fair-lane.ts";

type One = { source: string; n: number; isValid: boolean };

const laneOf = () =>
  createFairLane<One>({
    order: (a, b) => a.n - b.n,
    sourceOf: ({ source }) => source,
    isValid: ({ isValid }) => isValid,
  });
type Lane = ReturnType<typeof laneOf>;

const enterAll = (lane: Lane, source: string, from: number, count: number): void => {
  for (let n = from; n < from + count; n++) enter(lane, { source, n, isValid: true });
};
const serve = (lane: Lane): One | undefined => {
  const next = nextIn(lane);
  if (!next) return undefined;
  takeTurn(lane, next.source);
  next.isValid = false;
  return next;
};
const servedIn = (lane: Lane, count: number) => Array.from({ length: count }, () => serve(lane)?.source).join("");

describe("a lane", () => {
  it("keeps the order of acceptance for one source", () => {
    const lane = laneOf();
    for (const n of [3, 1, 2]) enter(lane, { source: "a", n, isValid: true });
    expect([serve(lane), serve(lane), serve(lane), serve(lane)].map((one) => one?.n)).toEqual([1, 2, 3, undefined]);
  });

  it("gives a source that comes to a backlog the second turn at latest, and then every other one", () => {
    const lane = laneOf();
    enterAll(lane, "a", 0, 5_000);
    expect(servedIn(lane, 3)).toBe("aaa");
    enterAll(lane, "b", 10_000, 3);
    expect(servedIn(lane, 8)).toMatch(/^a?bababa+$/);
  });

  it("gives a source no turns for the time in which it had nothing", () => {
    const lane = laneOf();
    enterAll(lane, "b", 0, 1);
    expect(servedIn(lane, 1)).toBe("b");
    enterAll(lane, "a", 1, 1_000);
    servedIn(lane, 500);
    enterAll(lane, "b", 2_000, 100);
    expect([...servedIn(lane, 20)].filter((source) => source === "b").length).toBeLessThanOrEqual(11);
  });

  it("serves everything once, in order by source, and never one source twice before another that waits", () => {
    const step = fc.oneof(
      fc.record({ source: fc.constantFrom("a", "b", "c"), count: fc.integer({ min: 1, max: 5 }) }),
      fc.integer({ min: 1, max: 6 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const lane = laneOf();
        const waiting = new Map<string, number[]>();
        const passed = new Map<string, number>();
        let n = 0;
        const serveOne = () => {
          const foreseen = nextOf(lane, 3).map((one) => one.n);
          const one = serve(lane);
          expect(one?.n).toBe(foreseen[0]);
          if (!one) return expect([...waiting.values()].flat()).toEqual([]);
          expect(waiting.get(one.source)?.shift()).toBe(one.n);
          for (const [source, left] of waiting) {
            const turns = source === one.source || left.length === 0 ? 0 : (passed.get(source) ?? 0) + 1;
            passed.set(source, turns);
            // Two others may have an earlier turn each, and one more.
            expect(turns).toBeLessThanOrEqual(4);
          }
        };
        for (const one of steps) {
          if (typeof one === "number") for (let turn = 0; turn < one; turn++) serveOne();
          else {
            enterAll(lane, one.source, n, one.count);
            waiting.set(one.source, [
              ...(waiting.get(one.source) ?? []),
              ...Array.from({ length: one.count }, (_, of) => n + of),
            ]);
            n += one.count;
          }
        }
        for (let turn = 0; turn <= n; turn++) serveOne();
      }),
    );
  });

  it("foresees the turns exactly", () => {
    const lane = laneOf();
    enterAll(lane, "a", 0, 20);
    enterAll(lane, "b", 100, 3);
    servedIn(lane, 2);
    const foreseen = nextOf(lane, 10).map(({ n }) => n);
    expect(Array.from({ length: 10 }, () => serve(lane)?.n)).toEqual(foreseen);
  });
});
