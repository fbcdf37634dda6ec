import { describe, expect, it } from "vitest";
import { checkFilter } from "../../../../../src/email/policy/segments/check.ts";
import type { TeamFacts } from "../../../../../src/email/policy/segments/facts.ts";
import type { AudienceCondition, Operator } from "../../../../../src/lib/contract/audience/filter.ts";

const team: TeamFacts = {
  types: new Map([
    ["plan", "string"],
    ["seats", "number"],
    ["invited", "boolean"],
    ["trialEnd", "date"],
  ]),
  messagesOf: (target, id) => (target === "campaign" && id === "cmp_1" ? [] : undefined),
};
const check = (...conditions: AudienceCondition[]) => checkFilter({ match: "all", conditions }, team, "filter");
type Value = string | number | boolean | null | { from: string | number; to: string | number };
const property = (key: string, operator: Operator, value?: Value): AudienceCondition => ({
  type: "property",
  key,
  operator,
  ...(value === undefined ? {} : { value }),
});
const refusalOf = (...conditions: AudienceCondition[]) => {
  const checked = check(...conditions);
  return "refusal" in checked ? checked.refusal : undefined;
};

const operators: readonly Operator[] = [
  ...(["any", "empty", "notEmpty", "equals", "notEquals", "contains", "notContains", "greaterThan"] as const),
  ...(["lessThan", "isTrue", "isFalse", "dateEmpty", "dateNotEmpty", "after", "before", "between"] as const),
];
const anyValue = { plan: "pro", seats: 5, invited: true, trialEnd: "2026-01-01" } as const;
const span = { from: "2026-01-01", to: "2026-01-01" };

describe("the check of a filter", () => {
  it.each([
    ["plan", "any contains notContains equals notEquals empty notEmpty"],
    ["seats", "any equals notEquals greaterThan lessThan empty notEmpty"],
    ["invited", "any isTrue isFalse empty notEmpty"],
    ["trialEnd", "any after before dateEmpty dateNotEmpty between empty notEmpty"],
  ] as const)("knows the operators of a property such as %s, and refuses the others by name", (key, list) => {
    const allowed = list.split(" ");
    for (const operator of operators) {
      const refusal = refusalOf(property(key, operator, operator === "between" ? span : anyValue[key]));
      if (allowed.includes(operator)) expect(refusal, operator).toBeUndefined();
      else expect(refusal, operator).toMatchObject({ code: "invalid_filter", path: "filter.conditions.0.operator" });
    }
  });

  it.each([
    [property("plan", "equals", 5), "value", "must be text"],
    [property("plan", "contains"), "value", "must be text"],
    [property("plan", "equals", null), "value", "must be text"],
    [property("seats", "equals", "many"), "value", "must be a number"],
    [property("seats", "equals", ""), "value", "must be a number"],
    [property("seats", "equals", "0x10"), "value", "must be a number"],
    [property("seats", "equals", "1e999"), "value", "must be a number"],
    [property("seats", "greaterThan", true), "value", "must be a number"],
    [
      property("trialEnd", "after", "soon"),
      "value",
      "must be a date: ISO 8601, Unix milliseconds, or relative to now, such as -P30D",
    ],
    [property("trialEnd", "after", "2026-02-30"), "value", /^must be a date/],
    [property("trialEnd", "after"), "value", "must be a date: ISO 8601 or Unix milliseconds"],
    [
      property("trialEnd", "after", 1_767_225_600),
      "value",
      /looks like Unix seconds. Send milliseconds \(1767225600000\)/,
    ],
    [property("trialEnd", "after", 8.64e15), "value", "must be a date of the years 1 to 9999"],
    [property("trialEnd", "before", "-P1M"), "value", /^must be a duration of weeks, days, hours and minutes/],
    [property("trialEnd", "before", "P"), "value", /^must be a duration/],
    [property("trialEnd", "before", "P1DT"), "value", /^must be a duration/],
    [property("trialEnd", "before", "-P36501D"), "value", "must be at most 36500 days from now"],
    [property("trialEnd", "between", "2026-01-01"), "value", 'must be an object with "from" and "to"'],
    [property("trialEnd", "between", { from: "x", to: "2026-01-01" }), "value.from", /^must be a date/],
    [property("trialEnd", "between", { from: "2026-01-01", to: "P1Y" }), "value.to", /^must be a duration/],
    [property("trialEnd", "between", { from: "2026-01-02", to: "2026-01-01" }), "value.to", "must not be before from"],
    [property("trialEnd", "between", { from: "P0D", to: "-P1D" }), "value.to", "must not be before from"],
  ])("refuses the value of %j at %s", (condition, field, words) => {
    const path = `filter.conditions.1.${field}`;
    const refusal = refusalOf(property("plan", "any"), condition);
    expect(refusal).toMatchObject({ code: "invalid_filter", path });
    expect(refusal?.message.startsWith(`${path}: `)).toBe(true);
    const said = refusal?.message.slice(path.length + 2, -1);
    if (typeof words === "string") expect(said).toBe(words);
    else expect(said).toMatch(words);
  });

  it("refuses a property that does not exist, and names the one that may be meant", () => {
    expect(refusalOf(property("plam", "any"))).toEqual({
      code: "unknown_property",
      path: "filter.conditions.0.key",
      message: 'There is no contact property "plam". Is "plan" meant? GET /v1/contacts/properties lists them.',
    });
    expect(refusalOf(property("mailingLists", "any"))).toMatchObject({ code: "unknown_property" });
    expect(refusalOf(property("id", "any"))).toMatchObject({ code: "unknown_property" });
    expect(refusalOf(property("zzzzzzzz", "any"))?.message).not.toContain("meant");
  });

  it.each([
    ["campaign", "campaign_not_found", "There is no campaign"],
    ["workflow", "workflow_not_found", "There is no workflow"],
    ["workflowEmail", "email_message_not_found", "There is no email of a workflow"],
  ] as const)("refuses a %s that does not exist", (target, code, words) => {
    const refusal = refusalOf({ type: "activity", action: "sent", negate: false, target, id: "x_1" });
    expect(refusal).toEqual({ code, path: "filter.conditions.0.id", message: `${words} with the id "x_1".` });
  });

  it("takes a target that exists, and opt-in", () => {
    expect(
      refusalOf({ type: "activity", action: "sent", negate: true, target: "campaign", id: "cmp_1" }),
    ).toBeUndefined();
    expect(refusalOf({ type: "optIn", status: null })).toBeUndefined();
  });

  it("refuses more than 50 conditions", () => {
    const many = Array.from({ length: 51 }, () => property("plan", "any"));
    expect(refusalOf(...many)).toEqual({
      code: "too_many_conditions",
      path: "filter.conditions",
      message: "filter.conditions: must have at most 50 conditions; it has 51.",
    });
    expect(refusalOf(...many.slice(1))).toBeUndefined();
  });

  it("keeps a filter as it was sent, without the values that operators ignore", () => {
    const sent = [
      property("seats", "equals", "5.0"),
      property("trialEnd", "after", "-P30D"),
      property("invited", "isTrue", true),
    ];
    expect(check(...sent)).toEqual({
      filter: {
        match: "all",
        conditions: [...sent.slice(0, 2), { type: "property", key: "invited", operator: "isTrue" }],
      },
    });
  });
});
