import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, createPace, take, waitFor } from "../../../../../src/outbox/dispatch/limits/pace.ts";

const most = (times: number[], ms: number): number => {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(0, ...sorted.map((start) => sorted.filter((time) => time >= start && time < start + ms).length));
};

describe("pace", () => {
  it("spaces starts evenly: the team's rate limit in a window of one second plus the guard", () => {
    const pace = createPace(20, 0);
    const starts: number[] = [];
    for (let now = 0; now < 60_000; now++) {
      if (waitFor(pace, now) > 0) continue;
      starts.push(now);
      answered(pace, take(pace, now), now + 5);
    }
    expect(most(starts, 1_000)).toBeLessThanOrEqual(10);
    // 10 per 1.02 s is 588 a minute. At least 98 % of it is used.
    expect(starts.length).toBeGreaterThan(0.98 * 588);
    const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
    expect(Math.min(...gaps)).toBe(102);
  });

  it("after a restart, keeps the distance to starts that are no longer known", () => {
    expect(waitFor(createPace(20, 5_000), 5_000)).toBe(102);
    expect(waitFor(createPace(100, 5_000), 5_050)).toBe(60);
    expect(waitFor(createPace(100, 5_000, { unanswered: 0, isFull: true }), 5_000)).toBe(1_100);
  });

  it("after a restart, leaves room for requests of the former process that arrive late", () => {
    const pace = createPace(20, 5_000, { unanswered: 6, isFull: true });
    const starts: number[] = [];
    for (let now = 5_000; now < 9_000; now++) {
      if (waitFor(pace, now) > 0) continue;
      starts.push(now);
      answered(pace, take(pace, now), now + 2);
    }
    expect(
      most(
        starts.filter((at) => at < 7_000),
        1_000,
      ),
    ).toBeLessThanOrEqual(4);
    expect(starts[0]).toBeLessThan(6_100);
    expect(starts.filter((at) => at >= 8_000)).toHaveLength(10);
  });

  it("after a restart, leaves room for the requests that may arrive late, though the former process was not busy", () => {
    for (let late = 0; late < 2_000; late += 50) {
      const pace = createPace(100, 5_000, { unanswered: 1, isFull: false });
      const arrivals = [5_000 + late];
      for (let now = 5_000; now < 9_000; now++) {
        if (waitFor(pace, now) > 0) continue;
        arrivals.push(now);
        answered(pace, take(pace, now), now + 2);
      }
      expect(most(arrivals, 1_000), String(late)).toBeLessThanOrEqual(10);
      expect(arrivals[1]).toBe(5_110);
    }
  });

  it("counts a slow answer as the latest arrival it can have been, so that a stall cannot break the rate limit", () => {
    const pace = createPace(20, 0);
    const first = take(pace, 1_000);
    answered(pace, first, 1_005);
    const starts = Array.from({ length: 10 }, (_, i) => take(pace, 1_102 + i * 102));
    for (const start of starts) answered(pace, start, 2_400);
    // If the start counted, the oldest would be outside the window, and a slot would be free at once.
    expect(waitFor(pace, 2_400)).toBeGreaterThan(900);
  });

  it("counts a request without an answer as one that may arrive now", () => {
    const pace = createPace(20, 0);
    answered(pace, take(pace, 500), 505);
    for (let i = 0; i < 10; i++) take(pace, 1_000 + i * 102);
    expect(waitFor(pace, 2_500)).toBeGreaterThan(900);
    expect(waitFor(pace, 9_000)).toBe(0);
  });

  it("never lets the email service count 11 in a second, whatever stalls there are on the way (property)", () => {
    const stalls = fc.array(fc.record({ at: fc.nat(20_000), ms: fc.integer({ min: 1, max: 600 }) }), { maxLength: 12 });
    fc.assert(
      fc.property(stalls, fc.integer({ min: 1, max: 80 }), (list, serviceTakes) => {
        const through = (time: number): number => {
          const stall = list.find(({ at, ms }) => time >= at && time < at + ms);
          return stall ? through(stall.at + stall.ms) : time;
        };
        const pace = createPace(20, 0);
        const arrivals: number[] = [];
        const pending: { start: ReturnType<typeof take>; back: number }[] = [];
        for (let now = 0; now < 22_000; now++) {
          // The same stalls delay the bridge: timers and answers come when they end.
          if (through(now) !== now) continue;
          for (const delivery of pending.filter(({ back }) => back <= now)) {
            answered(pace, delivery.start, now);
            pending.splice(pending.indexOf(delivery), 1);
          }
          if (waitFor(pace, now) > 0) continue;
          const start = take(pace, now);
          const arrival = through(now + 1);
          arrivals.push(arrival);
          pending.push({ start, back: through(arrival + serviceTakes) });
        }
        expect(most(arrivals, 1_000)).toBeLessThanOrEqual(10);
      }),
      { numRuns: 20 },
    );
  }, 30_000);

  it("never lets the email service count 11 in a second when a stall ends with answers that come quicker than usual", () => {
    const pace = createPace(100, 0);
    const [usual, stallAt, stallMs] = [40, 5_055, 130];
    const arrivals: number[] = [];
    const pending: { start: ReturnType<typeof take>; back: number }[] = [];
    for (let now = 0; now < 9_000; now++) {
      for (const delivery of pending.filter(({ back }) => back === now)) answered(pace, delivery.start, now);
      if (waitFor(pace, now) > 0) continue;
      const isStalled = now >= stallAt && now < stallAt + stallMs;
      const arrival = isStalled ? stallAt + stallMs : now + 1;
      arrivals.push(arrival);
      pending.push({ start: take(pace, now), back: arrival + (isStalled ? 1 : usual) });
    }
    expect(most(arrivals, 1_000)).toBeLessThanOrEqual(10);
  });

  it("uses nearly all of the rate limit when answer times vary", () => {
    const starts = (times: (n: number) => number, guard: number) => {
      const pace = createPace(guard, 0);
      const pending: { start: ReturnType<typeof take>; back: number }[] = [];
      let count = 0;
      for (let now = 0; now < 60_000; now++) {
        for (const delivery of pending.filter(({ back }) => back <= now)) {
          answered(pace, delivery.start, now);
          pending.splice(pending.indexOf(delivery), 1);
        }
        if (pending.length >= 4 || waitFor(pace, now) > 0) continue;
        pending.push({ start: take(pace, now), back: now + times(count++) });
      }
      return count;
    };
    // Between 20 and 300 ms without a pattern. 10 per 1.1 s is 545 a minute.
    expect(starts((n) => 20 + ((n * 7_919) % 281), 100)).toBeGreaterThan(0.94 * 545);
    expect(starts(() => 200, 100)).toBeGreaterThan(0.98 * 545);
    expect(starts((n) => (n % 30 === 0 ? 2_000 : 60), 100)).toBeGreaterThan(0.9 * 545);
  }, 30_000);

  it("goes on after the clock was set back", () => {
    const pace = createPace(20, 0);
    answered(pace, take(pace, 1_000_000), 1_000_005);
    // Set back by a day, with a request in flight: one interval is lost, not a day.
    const inFlight = take(pace, 1_000_200);
    expect(waitFor(pace, 913_600)).toBeLessThanOrEqual(102);
    expect(waitFor(pace, 913_702)).toBe(0);
    answered(pace, inFlight, 913_710);
    answered(pace, take(pace, 913_720), 913_725);
    expect(waitFor(pace, 913_822)).toBe(0);
    const full = createPace(20, 1_000_000, { unanswered: 0, isFull: true });
    expect(waitFor(full, 913_600)).toBe(1_020);
    expect(waitFor(full, 914_620)).toBe(0);
    expect(pace.latencies.every((ms) => ms >= 0)).toBe(true);
  });
});
