import { describe, expect, it } from "vitest";
import { bucketOf, HOURS, pointsOf } from "../../../../../src/email/policy/campaigns/times.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);
const STARTED = at("2026-11-30T22:20:00Z");

/** Counts of these times, as they are stored. */
const timesOf = (zone: string, ...all: number[]) => {
  const times: Record<string, number> = {};
  for (const one of all) {
    const bucket = bucketOf(one, STARTED, zone);
    times[bucket] = (times[bucket] ?? 0) + 1;
  }
  return times;
};

const shown = (unit: "hour" | "day", zone: string, now: number, times: Record<string, number>) =>
  pointsOf({ unit, startedAt: STARTED, now, zone }, times).map((point) => [
    new Date(point.at).toISOString(),
    point.count,
  ]);

describe("the counts of a campaign over time", () => {
  it("have a point for each hour since the start, also without a count", () => {
    const times = timesOf("UTC", STARTED, STARTED + HOUR, STARTED + HOUR, STARTED + 3 * HOUR);
    expect(shown("hour", "UTC", STARTED + 3 * HOUR, times)).toEqual([
      ["2026-11-30T22:00:00.000Z", 1],
      ["2026-11-30T23:00:00.000Z", 2],
      ["2026-12-01T00:00:00.000Z", 0],
      ["2026-12-01T01:00:00.000Z", 1],
    ]);
  });

  it("have days of the team's time zone, also where hours and days meet", () => {
    const times = timesOf("Europe/Berlin", STARTED, STARTED + HOUR, STARTED + 8 * DAY);
    const days = shown("day", "Europe/Berlin", STARTED + 8 * DAY, times);
    expect(days.slice(0, 2)).toEqual([
      ["2026-11-29T23:00:00.000Z", 1],
      ["2026-11-30T23:00:00.000Z", 1],
    ]);
    expect(days.at(-1)).toEqual(["2026-12-07T23:00:00.000Z", 1]);
    expect(days).toHaveLength(9);
  });

  it("are at most 168 hours and 91 days, however long people open", () => {
    const all = Array.from({ length: 10_000 }, (_, n) => STARTED + n * HOUR);
    const times = timesOf("Asia/Kolkata", ...all);
    const now = all.at(-1) ?? 0;
    expect(Object.keys(times).length).toBeLessThanOrEqual(HOURS + 91 + 1);
    const [hours, days] = (["hour", "day"] as const).map((unit) =>
      pointsOf({ unit, startedAt: STARTED, now, zone: "Asia/Kolkata" }, times),
    );
    expect([hours?.length, days?.length]).toEqual([168, 91]);
    const sum = days?.reduce((total, { count }) => total + count, 0) ?? 0;
    expect(sum + (times.later ?? 0)).toBe(10_000);
  });
});
