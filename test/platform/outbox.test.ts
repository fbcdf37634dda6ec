import { describe, expect, it } from "vitest";
import { accept, type Bridge, playFresh, rowOf } from "./bridge.ts";
import type { Rules } from "./inside/rules.ts";

/** Each case has a bridge of its own, because most of its time is waiting for the rate limit. */
const played = async (what: string, ...how: Parameters<typeof playFresh>) => {
  const outcome = await playFresh(...how);
  console.log(rowOf(what, outcome));
  return outcome;
};

const whole = { ended: true, lost: 0, twice: 0, failed: 0 };
const wholeOf = ({ ended, lost, twice, failed }: Awaited<ReturnType<typeof played>>) => ({
  ended,
  lost,
  twice,
  failed,
});

describe.concurrent("the Outbox with a budget of subrequests an event", () => {
  it("of 50: deliveries, fetch-back and alerts together stay below it", async () => {
    const outcome = await played("50 subrequests", { known: 10, asked: 10 }, { subrequests: 50 });
    expect(wholeOf(outcome)).toEqual(whole);
    expect(outcome.counts.refused).toEqual({});
  });

  it("of 12: a refused request is deferred, and not made again as one of unknown outcome", async () => {
    const outcome = await played("12 subrequests", { known: 14, asked: 0 }, { subrequests: 12 });
    expect(wholeOf(outcome)).toEqual(whole);
    expect(outcome.counts.refused["Outbox fetch"]).toBeGreaterThan(0);
    expect(outcome.repeated).toBe(0);
    expect(outcome.silence).toBeLessThan(5_000);
  });

  it("of 8: a provider is asked again, and is not called unreachable", async () => {
    const outcome = await played("8 subrequests, fetch-back", { known: 2, asked: 6 }, { subrequests: 8 });
    expect(wholeOf(outcome)).toEqual(whole);
    expect(outcome.counts.refused["Outbox fetch"]).toBeGreaterThan(0);
    expect(outcome.logs.filter((line) => line.includes("fetch_back_failed"))).toEqual([]);
  });
});

describe.concurrent("the Outbox on a bad day", () => {
  it.each<[string, Rules]>([
    ["calls of objects at most four deep", { depth: 4 }],
    ["a clock that moves only with I/O", { frozenClock: true }],
    ["every alarm runs twice", { alarms: { twice: 1 } }],
    ["an Outbox without an event for 0.5 s is evicted", { evictAfter: 500 }],
  ])("%s: all deliveries are made", async (what, rules) => {
    const outcome = await played(what, { known: 4, asked: 4 }, rules);
    expect(wholeOf(outcome)).toEqual(whole);
    expect(outcome.silence).toBeLessThan(5_000);
  });
});

/** Each point, at its first pass and in the midst of the work, when all webhooks were accepted. */
const POINTS: [point: string, nth: number][] = [
  ["setAlarm", 1],
  ["setAlarm", 2],
  ["transactionSync", 1],
  ["transactionSync", 20],
  ["sync", 1],
  ["sync", 6],
  ["run accept", 2],
  ["alarm", 1],
  ["fetch", 1],
  ["fetch", 10],
];

describe.concurrent("the Outbox and alarms that are lost", () => {
  it("goes on with the next webhook", async () => {
    const rules = { alarms: { lost: 2 }, aborts: [{ point: "Outbox fetch", when: "after", nth: 5 } as const] };
    const during = async (bridge: Bridge) => {
      const ids: string[] = [];
      for (let n = 0; n < 8; n++) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        ids.push(await accept(bridge));
      }
      return ids;
    };
    const outcome = await played("every second alarm is lost, one reset", { known: 3, asked: 3 }, rules, { during });
    expect(wholeOf(outcome)).toEqual(whole);
    expect(outcome.silence).toBeLessThan(5_000);
  });
});

describe.concurrent("the Outbox is reset", () => {
  it.each(POINTS.flatMap(([point, nth]) => [["before", point, nth] as const, ["after", point, nth] as const]))(
    "%s %s number %i: nothing is lost or done twice, and it goes on within 5 s",
    async (when, point, nth) => {
      const rules = { aborts: [{ point: `Outbox ${point}`, when, nth }] };
      const outcome = await played(`reset ${when} ${point} ${nth}`, { known: 2, asked: 4 }, rules);
      expect(wholeOf(outcome)).toEqual(whole);
      expect(outcome.counts.aborted).toEqual([`${when} Outbox ${point}`]);
      expect(outcome.silence).toBeLessThan(5_000);
    },
  );
});
