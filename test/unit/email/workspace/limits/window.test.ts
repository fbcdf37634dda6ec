import { describe, expect, it } from "vitest";
import {
  type Claimed,
  fullOf,
  lastOf,
  leftOf,
  notLaterThan,
  type SendLimits,
  windowsOf,
  withClaim,
} from "../../../../../src/email/workspace/limits/windows/window.ts";
import { createRandom } from "../../../../workerd/simulation/random.ts";

const START = Date.UTC(2090, 0, 1);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const none: SendLimits = { second: null, hour: null, day: null };
const SPANS = { second: SECOND, hour: HOUR, day: DAY };

const mostIn = (claims: readonly Claimed[], length: number): number => {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const { at, count } of claims) {
    sum += count;
    while ((claims[first]?.at ?? at) <= at - length) sum -= claims[first++]?.count ?? 0;
    most = Math.max(most, sum);
  }
  return most;
};

describe("the windows of send limits", () => {
  it("have room for all mail without a limit", () => {
    const windows = windowsOf(none, [{ at: START, count: 1_000_000 }], START);
    expect(windows).toEqual([]);
    expect(leftOf(windows)).toBe(Number.POSITIVE_INFINITY);
    expect(fullOf(windows)).toBeUndefined();
  });

  it("have room again exactly one window after the mails that fill them", () => {
    const limits = { ...none, second: 10 };
    const claims = [
      { at: START, count: 4 },
      { at: START + 300, count: 6 },
    ];
    const at = (now: number) => windowsOf(limits, claims, now)[0];
    expect(at(START + 300)).toEqual({ span: "second", limit: 10, used: 10, opensAt: START + SECOND });
    expect(at(START + 999)).toMatchObject({ used: 10, opensAt: START + SECOND });
    expect(at(START + 1_000)).toMatchObject({ used: 6, opensAt: 0 });
    expect(at(START + 1_300)).toMatchObject({ used: 0, opensAt: 0 });
  });

  it("say when the last of many mails may be claimed", () => {
    const limits = { ...none, hour: 1_000 };
    const claims = [{ at: START, count: 600 }];
    const now = START + 10 * SECOND;
    expect(lastOf(none, claims, now, 1_000_000)).toBe(now);
    expect(lastOf(limits, claims, now, 400)).toBe(now);
    expect(lastOf(limits, claims, now, 401)).toBe(START + HOUR);
    expect(lastOf(limits, claims, now, 1_001)).toBe(now + HOUR);
    expect(lastOf(limits, claims, now, 9_400)).toBe(now + 9 * HOUR);
    expect(lastOf({ ...limits, day: 2_000 }, claims, now, 9_400)).toBe(now + 4 * DAY);
  });

  it("say the same as mails that are claimed as soon as there is room", () => {
    const random = createRandom(7);
    for (let times = 0; times < 300; times += 1) {
      const limits = { ...none, second: random.int(1, 6) };
      let claims: Claimed[] = Array.from({ length: random.int(0, 4) }, () => ({
        at: START + random.int(0, 900),
        count: random.int(1, 3),
      })).sort((a, b) => a.at - b.at);
      const [now, mails] = [START + 900, random.int(1, 30)];
      const said = lastOf(limits, claims, now, mails);
      let at = now;
      for (let left = mails; ; ) {
        const count = Math.min(left, leftOf(windowsOf(limits, claims, at)));
        if (count > 0) claims = [...claims, { at, count }];
        left -= count;
        if (left === 0) break;
        at = Math.max(at + 1, fullOf(windowsOf(limits, claims, at))?.opensAt ?? 0);
      }
      expect(said).toBe(at);
    }
  });

  it("wait for the mails that are over a limit as well", () => {
    const claims = [
      { at: START, count: 5 },
      { at: START + HOUR / 2, count: 5 },
    ];
    expect(windowsOf({ ...none, hour: 3 }, claims, START + HOUR / 2)[0]).toMatchObject({
      used: 10,
      opensAt: START + HOUR / 2 + HOUR,
    });
  });

  it("name the limit that has room last", () => {
    const windows = windowsOf({ second: 1, hour: 5, day: 1_000 }, [{ at: START, count: 5 }], START);
    expect(leftOf(windows)).toBe(0);
    expect(fullOf(windows)).toMatchObject({ span: "hour", opensAt: START + HOUR });
  });

  it("count mails of a clock that was ahead from now on", () => {
    const claims = [
      { at: START - 5, count: 1 },
      { at: START + DAY, count: 2 },
      { at: START + 400 * DAY, count: 3 },
    ];
    expect(notLaterThan(claims, START)).toEqual([
      { at: START - 5, count: 1 },
      { at: START, count: 5 },
    ]);
    expect(notLaterThan(claims.slice(0, 1), START)).toEqual(claims.slice(0, 1));
  });

  it("are never exceeded, and have room at the time that they name (150 random schedules)", () => {
    const tooEarly: string[] = [];
    for (let seed = 1; seed <= 150; seed += 1) {
      const random = createRandom(seed);
      const limits: SendLimits = {
        second: random.one([null, 1, 7, 50, 400]),
        hour: random.one([null, 3, 100, 5_000]),
        day: random.one([null, 10, 2_500, 40_000]),
      };
      let claims: readonly Claimed[] = [];
      const made: Claimed[] = [];
      let now = START;
      for (let step = 0; step < 400; step += 1) {
        const opensAt = fullOf(windowsOf(limits, claims, now))?.opensAt ?? 0;
        const pause = random.one([0, 1, 20, 400, SECOND, 60 * SECOND, HOUR, 5 * HOUR]);
        now = opensAt > now && random.chance(0.7) ? opensAt : now + random.int(0, pause);
        const count = Math.min(leftOf(windowsOf(limits, claims, now)), random.one([1, 3, 50]));
        if (opensAt === now && count === 0) tooEarly.push(`seed ${seed}, step ${step}`);
        if (count === 0) continue;
        claims = withClaim(claims, now, count);
        made.push({ at: now, count });
      }
      for (const span of ["second", "hour", "day"] as const)
        expect(mostIn(made, SPANS[span])).toBeLessThanOrEqual(limits[span] ?? Number.POSITIVE_INFINITY);
      expect(claims.reduce((sum, { count }) => sum + count, 0)).toBe(made.reduce((sum, { count }) => sum + count, 0));
    }
    expect(tooEarly).toEqual([]);
  });

  it("keep about two thousand entries, however many claims there are, and lose none that counts", () => {
    let claims: readonly Claimed[] = [];
    const made: Claimed[] = [];
    const random = createRandom(7);
    let now = START;
    for (let n = 0; n < 12_000; n += 1) {
      now += random.int(1, (2 * DAY) / 12_000);
      claims = withClaim(claims, now, 1);
      made.push({ at: now, count: 1 });
      expect(claims.length).toBeLessThanOrEqual(2_200);
    }
    for (const [span, length] of Object.entries(SPANS)) {
      const used = windowsOf({ ...none, [span]: 1 }, claims, now)[0]?.used ?? 0;
      const exact = made.filter(({ at }) => at > now - length).length;
      const late = made.filter(({ at }) => at > now - length * (1 + 1 / 500)).length;
      expect(used).toBeGreaterThanOrEqual(exact);
      expect(used).toBeLessThanOrEqual(late);
    }
  });
});
