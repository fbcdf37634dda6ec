import { expect, test } from "vitest";
import { standing } from "../../../../src/rules/billing/standing.ts";

test("the words of all providers rank alike: running, trial, late, paused, not paid, unknown, ended", () => {
  const ranks = [
    ["active", "non_renewing"],
    ["trialing", "in_trial", "on_trial"],
    ["past_due", "failed"],
    ["paused"],
    ["unpaid", "incomplete", "future"],
    ["a_new_status", "constructor"],
    ["canceled", "cancelled", "expired", "incomplete_expired", "transferred"],
  ].map((words) => [...new Set(words.map(standing))]);
  expect(ranks).toEqual([[50], [40], [30], [20], [10], [5], [0]]);
});
