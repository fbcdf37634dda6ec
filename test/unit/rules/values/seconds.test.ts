import { expect, test } from "vitest";
import { seconds } from "../../../../src/rules/values/seconds.ts";

test("seconds gives ISO 8601, and keeps null and undefined", () => {
  expect(seconds(1_767_225_600)).toBe("2026-01-01T00:00:00.000Z");
  expect([seconds(0), seconds(null), seconds(undefined)]).toEqual(["1970-01-01T00:00:00.000Z", null, undefined]);
});
