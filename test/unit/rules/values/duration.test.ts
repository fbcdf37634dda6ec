import { expect, test } from "vitest";
import { duration } from "../../../../src/rules/values/duration.ts";

test("duration takes a number and a unit, and refuses other texts", () => {
  expect(["90s", "10m", "2h", "1d", " 5m "].map(duration)).toEqual([90_000, 600_000, 7_200_000, 86_400_000, 300_000]);
  for (const text of ["", "10", "m", "0m", "-1m", "1.5h", "10 minutes", "9999999s"])
    expect(() => duration(text)).toThrow("is not a duration");
});
