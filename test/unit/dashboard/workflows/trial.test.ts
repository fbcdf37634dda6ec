import { expect, it } from "vitest";
import { assumedProblem } from "../../../../src/dashboard/app/pages/workflows/try/asked.ts";

it.each([
  ["", "60", "Give the number of days after the entry."],
  ["-1", "60", "Give the number of days after the entry."],
  ["61", "60", "Give at most 60 days: no more are played."],
  ["60", "60", undefined],
  ["0", "60", undefined],
])("an assumption of day %j in a simulation of %s days is said to have at its field: %s", (day, days, problem) => {
  expect(assumedProblem({ day, property: "plan", value: "pro" }, days)).toBe(problem);
});
