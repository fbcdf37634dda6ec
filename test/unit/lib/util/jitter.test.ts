import { describe, expect, it } from "vitest";
import { equalJitter, fullJitter } from "../../../../src/lib/util/jitter.ts";

describe("the wait after an attempt", () => {
  it.each([
    [1, 0, 0],
    [1, 0.5, 1_000],
    [3, 0.5, 4_000],
    [40, 0.5, 5_000],
  ])("with full jitter, after attempt %d with random %d, is %d ms", (attempt, random, ms) => {
    expect(fullJitter(attempt, random, 1_000, 10_000)).toBe(ms);
  });

  it.each([
    [1, 0, 500],
    [1, 0.5, 750],
    [3, 0.5, 3_000],
    [40, 0, 5_000],
  ])("with equal jitter, after attempt %d with random %d, is %d ms", (attempt, random, ms) => {
    expect(equalJitter(attempt, random, 1_000, 10_000)).toBe(ms);
  });
});
