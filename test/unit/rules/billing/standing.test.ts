import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STANDING, standing } from "../../../../src/rules/billing/standing.ts";

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

test("docs/rules.md lists all known words, the better ones first", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/rules.md"), "utf8");
  const rows = [...page.matchAll(/^\| \d, [a-z ]+ \| (.*) \|$/gm)].map(([, words = ""]) =>
    [...words.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word),
  );
  expect(rows.flat().toSorted()).toEqual(Object.keys(STANDING).toSorted());
  const ranks = rows.map((words) => [...new Set(words.length > 0 ? words.map(standing) : [standing("another")])]);
  expect(ranks.every(({ length }) => length === 1)).toBe(true);
  expect(ranks.flat()).toEqual(ranks.flat().toSorted((a, b) => b - a));
});
