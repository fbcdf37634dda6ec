import { describe, expect, it } from "vitest";
import {
  type Count,
  countOn,
  countText,
  differenceOf,
  differenceText,
} from "../../../src/dashboard/app/pages/segments/count.ts";
import { dateOf, dateText, isDate } from "../../../src/dashboard/app/pages/segments/dates.ts";
import {
  type DraftCondition,
  emptyDraft,
  filterDraftOf,
  filterOf,
  ofField,
  problemsIn,
  type Types,
  withAnother,
} from "../../../src/dashboard/app/pages/segments/draft.ts";
import { type AudienceFilter, audienceFilter } from "../../../src/lib/contract/audience/filter.ts";
import { operatorsOf } from "../../../src/lib/contract/audience/operators.ts";
import type { PropertyType } from "../../../src/lib/contract/contact-fields.ts";

const types: Types = new Map<string, PropertyType>([
  ["email", "string"],
  ["plan", "string"],
  ["seats", "number"],
  ["isPaying", "boolean"],
  ["trialEndsAt", "date"],
]);
const draftWith = (...conditions: DraftCondition[]) => ({ ...emptyDraft, name: "x", conditions });

describe("the draft of a segment", () => {
  it("gives back every filter of the contract as it is stored", () => {
    const values: Record<string, unknown> = { string: "pro", number: 12, date: "-P30D" };
    const conditions = (Object.keys(operatorsOf) as PropertyType[]).flatMap((type) => {
      const key = [...types].find(([name, of]) => of === type && name !== "email")?.[0] ?? "";
      return operatorsOf[type].map((operator) => ({
        type: "property" as const,
        key,
        operator,
        ...(operator === "between" ? { value: { from: "-P2W", to: "2026-01-31" } } : {}),
        ...(/^(equals|notEquals|contains|notContains|greaterThan|lessThan|after|before)$/.test(operator)
          ? { value: values[type] }
          : {}),
      }));
    });
    const filter = {
      match: "any",
      conditions: [
        ...conditions,
        ...[null, "accepted", "pending", "rejected"].map((status) => ({ type: "optIn", status })),
        ...["campaign", "workflow", "workflowEmail"].flatMap((target) =>
          ["sent", "opened", "clicked"].map((action) => ({
            type: "activity",
            action,
            negate: true,
            target,
            id: "x_1",
          })),
        ),
      ],
    } as AudienceFilter;
    const draft = { name: "All", description: "", ...filterDraftOf(filter, types) };
    expect(problemsIn(draft, types)).toEqual({});
    expect(filterOf(draft, types)).toEqual(filter);
    expect(audienceFilter.parse(filterOf(draft, types))).toEqual(filter);
  });

  it("has a condition for each field, with an operator of its type", () => {
    const [first] = emptyDraft.conditions as [DraftCondition];
    expect(ofField(first, "property:seats", types)).toMatchObject({ key: "seats", operator: "equals", value: "" });
    expect(ofField(first, "property:trialEndsAt", types)).toMatchObject({ operator: "after" });
    expect(ofField(first, "optIn", types)).toMatchObject({ type: "optIn", status: "accepted" });
    expect(ofField(first, "activity", types)).toMatchObject({ type: "activity", target: "campaign", id: "" });
    const two = withAnother(withAnother(emptyDraft));
    expect(two.conditions.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it.each([
    [{ n: 1, type: "property", key: "plan", operator: "equals", value: " ", to: "" }, "Give a value."],
    [{ n: 1, type: "property", key: "seats", operator: "lessThan", value: "many", to: "" }, "Give a number"],
    [{ n: 1, type: "property", key: "trialEndsAt", operator: "after", value: "soon", to: "" }, "Give a date"],
    [{ n: 1, type: "property", key: "trialEndsAt", operator: "between", value: "2026-01-01", to: "" }, "Give a date"],
    [{ n: 1, type: "property", key: "gone", operator: "empty", value: "", to: "" }, 'no property "gone" any more'],
    [{ n: 1, type: "activity", action: "sent", negate: false, target: "campaign", id: "" }, "Choose which one."],
  ] as [DraftCondition, string][])("says what is missing in a condition: %j", (condition, problem) => {
    expect(problemsIn(draftWith(condition), types)).toEqual({ 1: expect.stringContaining(problem) });
  });
});

describe("a date", () => {
  it.each([
    ["30 days ago", "-P30D"],
    ["in 2 weeks", "P2W"],
    ["1 hour ago", "-PT1H"],
    ["in 15 minutes", "PT15M"],
  ])("relative to now is typed in words: %s", (typed, value) => {
    expect(dateOf(typed)).toBe(value);
    expect(dateText(value)).toBe(typed);
    expect(isDate(typed)).toBe(true);
  });

  it("of another form stays as it is typed, and is told from no date", () => {
    expect(dateOf(" 2026-01-31 ")).toBe("2026-01-31");
    expect(dateText("-P1DT2H")).toBe("-P1DT2H");
    expect(["2026-01-31", "2026-01-31T10:00:00Z", "1767225600000", "-P1DT2H"].map(isDate)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["", "tomorrow", "30 days", "P"].map(isDate)).toEqual([false, false, false, false]);
  });
});

const count = (contacts: number, change: Partial<Count> = {}): Count => ({
  contacts,
  exact: true,
  low: contacts,
  high: contacts,
  total: 20_000,
  next: null,
  sampled: 1_000,
  nearMisses: [],
  warnings: [],
  ...change,
});

describe("a count", () => {
  const miss = { path: "filter.conditions.0", contacts: 3, otherSpellings: [], message: "3 more." };

  it("is an estimate first, and goes on until it is exact", async () => {
    const asked: object[] = [];
    const answers = [
      count(480, { exact: false, low: 400, high: 560, nearMisses: [miss] }),
      count(490, { exact: false, next: "c1" }),
      count(502),
    ];
    const seen: Count[] = [];
    const last = await countOn(
      (fields) => {
        asked.push(fields);
        return Promise.resolve(answers.shift() ?? count(0));
      },
      (one) => seen.push(one),
      () => false,
    );
    expect(asked).toEqual([{}, { exact: true }, { exact: true, cursor: "c1" }]);
    expect(seen.map(({ contacts, exact }) => [contacts, exact])).toEqual([
      [480, false],
      [490, false],
      [502, true],
    ]);
    expect(last?.nearMisses).toEqual([miss]);
  });

  it("asks once where the estimate is exact, and tells nobody who does not wait any more", async () => {
    let asked = 0;
    const ask = () => Promise.resolve(count(++asked));
    await countOn(
      ask,
      () => {},
      () => false,
    );
    expect(asked).toBe(1);
    expect(
      await countOn(
        ask,
        () => expect.unreachable(),
        () => true,
      ),
    ).toBeUndefined();
  });

  it("is told in words, and so is what a change does", () => {
    expect(countText(count(1_204))).toBe("1,204 of 20,000 contacts");
    expect(countText(count(480, { exact: false, low: 400, high: 560 }))).toBe(
      "about 480 of about 20,000 contacts (between 400 and 560)",
    );
    const difference = differenceOf(count(2_000), count(883), count(796));
    expect(differenceText(difference)).toBe("+1,204 −87 contacts, compared with what is stored.");
    expect(differenceText(differenceOf(count(5, { exact: false }), count(5), count(5)))).toMatch(/^About \+0 −0/);
    expect(differenceText(differenceOf(count(5), count(5), count(5)))).toBe("The same contacts as before.");
  });
});
