import { expect, it } from "vitest";
import { isOther, mostAtOnce, mostLater } from "../../../../../src/email/policy/campaigns/confirmed.ts";

it.each([
  [0, 0, false],
  [1, 0, true],
  [2, 0, true],
  [2, 1, false],
  [3, 1, true],
  [100_000, 95_500, true],
  [100_000, 99_010, false],
  [101_000, 100_000, false],
  [101_001, 100_000, true],
])("%i recipients are more than %i: %s", (recipients, confirmed, expected) => {
  expect(recipients > mostAtOnce(confirmed)).toBe(expected);
  expect(isOther(recipients, confirmed)).toBe(expected);
});

it("fewer recipients are another number, and not more", () => {
  expect([90 > mostAtOnce(100), isOther(90, 100)]).toEqual([false, true]);
  expect([isOther(99, 100), isOther(0, 1), isOther(0, 2)]).toEqual([false, false, true]);
});

it.each([
  [0, 0],
  [1, 2],
  [10, 11],
  [6_031, 6_635],
])("%i confirmed for later allow %i at the start: a tenth more", (confirmed, most) => {
  expect(mostLater(confirmed)).toBe(most);
});
