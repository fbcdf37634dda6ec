import { expect, test } from "vitest";
import { day } from "../../../../src/rules/values/day.ts";

test("day formats a date in a locale and a time zone", () => {
  expect(day(1_767_225_600)).toBe("January 1, 2026");
  expect(day(1_767_225_600, "de-DE", "America/New_York")).toBe("31. Dezember 2025");
});
