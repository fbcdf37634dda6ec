import { describe, expect, it } from "vitest";
import * as z from "zod";
import { audienceFilter } from "../../../../src/lib/contract/audience/filter.ts";
import { refusalOf, wording } from "../../../../src/lib/contract/errors.ts";

const request = z.strictObject({ filter: audienceFilter });
const read = (filter: unknown) => {
  const parsed = request.safeParse({ filter }, { error: wording });
  return parsed.success ? parsed.data.filter : refusalOf(parsed.error);
};
const of = (condition: unknown) => ({ match: "all", conditions: [condition] });
const property = { type: "property", key: "plan", operator: "equals" };
const activity = { type: "activity", action: "opened", negate: false, target: "campaign", id: "cmp_1" };

describe("the form of an audience filter", () => {
  it.each([
    { ...property, value: "pro" },
    { ...property, operator: "greaterThan", value: 5 },
    { ...property, operator: "between", value: { from: "2026-01-01", to: 1_800_000_000_000 } },
    { ...property, operator: "isTrue", value: true },
    { ...property, operator: "isTrue", value: null },
    { ...property, operator: "empty" },
    { type: "optIn", status: null },
    { type: "optIn", status: "accepted" },
    activity,
    { ...activity, action: "sent", negate: true, target: "workflowEmail", id: "msg_1" },
  ])("takes %j", (condition) => {
    expect(read(of(condition))).toEqual(of(condition));
  });

  it.each([
    [null, "filter", "must be an object"],
    [{ match: "none", conditions: [activity] }, "filter.match", 'must be "all" or "any"'],
    [{ match: "all", conditions: [] }, "filter.conditions", "must have at least one condition"],
    [{ ...of(activity), name: "x" }, "filter.name", "is not a field of this request"],
    [of(of(activity)), "filter.conditions.0.type", 'must be "property", "optIn" or "activity"'],
    [of({ type: "event" }), "filter.conditions.0.type", 'must be "property", "optIn" or "activity"'],
    [of({ ...property, operator: "equal" }), "filter.conditions.0.operator", /: must be one of any, empty/],
    [of({ ...property, value: ["pro"] }), "filter.conditions.0.value", /: must be text, a number, or an object/],
    [of({ ...property, value: "x".repeat(501) }), "filter.conditions.0.value", "must be at most 500 characters"],
    [of({ ...property, value: { from: 1 } }), "filter.conditions.0.value", /with from and to$/],
    [of({ ...property, key: "x".repeat(101) }), "filter.conditions.0.key", "must be at most 100 characters"],
    [of({ ...property, note: "" }), "filter.conditions.0.note", "is not a field of this request"],
    [of({ type: "optIn", status: "yes" }), "filter.conditions.0.status", /: must be "accepted"/],
    [of({ ...activity, action: "bounced" }), "filter.conditions.0.action", /: must be "sent"/],
    [of({ ...activity, negate: "no" }), "filter.conditions.0.negate", "must be true or false"],
    [of({ ...activity, target: "event" }), "filter.conditions.0.target", /: must be "campaign"/],
  ])("refuses %j at %s", (filter, path, words) => {
    const message = words instanceof RegExp ? expect.stringMatching(words) : `${path}: ${words}`;
    expect(read(filter)).toEqual({ code: "invalid_request", path, message });
  });

  it("names a field that is missing", () => {
    expect(read(of({ type: "optIn" }))).toMatchObject({ path: "filter.conditions.0.status" });
    expect(read({ match: "all" })).toMatchObject({ message: "filter.conditions is required." });
  });
});
