import { expect, it } from "vitest";
import { wordsOfDuration } from "../../../../../../src/email/policy/workflows/run/run-words.ts";

it.each([
  [{ amount: 0.15, unit: "m" }, "9 seconds"],
  [{ amount: 1 / 60, unit: "m" }, "1 second"],
  [{ amount: 0, unit: "m" }, "0 minutes"],
  [{ amount: 0.000_000_1, unit: "m" }, "1e-7 minutes"],
  [{ amount: 1, unit: "m" }, "1 minute"],
  [{ amount: 1.5, unit: "h" }, "1.5 hours"],
] as const)("the words of a timer: %j", (timer, words) => {
  expect(wordsOfDuration(timer)).toBe(words);
});
