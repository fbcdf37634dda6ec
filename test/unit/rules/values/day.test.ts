import { expect, test } from "vitest";
import { day } from "../../../../src/rules/values/day.ts";

test("day formats a date in a locale and a time zone", () => {
  expect(day(1_767_225_600)).toBe("January 1, 2026");
  expect(day(1_767_225_600, "de-DE", "America/New_York")).toBe("31. Dezember 2025");
});

test("day changes at midnight of its zone, whatever day was formatted before", () => {
  const days = [0, 86_399, 86_400, 1_767_225_599, 1_767_225_600, -1].map((at) => day(at));
  expect(days).toEqual([
    "January 1, 1970",
    "January 1, 1970",
    "January 2, 1970",
    "December 31, 2025",
    "January 1, 2026",
    "December 31, 1969",
  ]);
  // 18:30 in London is midnight in Kolkata.
  expect([1_767_205_799, 1_767_205_800].map((at) => day(at, "en-US", "Asia/Kolkata"))).toEqual([
    "December 31, 2025",
    "January 1, 2026",
  ]);
  expect(() => day(Number.NaN)).toThrow(RangeError);
});
