import { describe, expect, test } from "vitest";
import { differencesText } from "../../../../scripts/check/by-rule.ts";
import { list } from "../../../../scripts/check/print.ts";
import type { Problem } from "../../../../scripts/check/problem.ts";
import { report, summary } from "../../../../scripts/check/report.ts";
import type { AnyRule } from "../../../../src/rules/types.ts";
import { checkAll, fixture, good, type Loose, PAID, sourceOf, useFolder } from "./setup.ts";

useFolder();

const printedFor = async (before: AnyRule[], now: AnyRule[]) => {
  await checkAll({ generic: sourceOf(before) }, true);
  const checked = await checkAll({ generic: sourceOf(now) });
  const problems = checked.flatMap((one) => one.problems);
  return { text: differencesText(problems), listed: list(problems), end: summary(checked, problems, 0) };
};

describe("differences from golden files", () => {
  test("of one new rule are one line in the summary, and fixtures with the same ones are one entry", async () => {
    for (let n = 1; n <= 5; n++) fixture(`invoice.paid.${n}`, PAID, "invoice.paid");
    for (const n of [6, 7]) fixture(`invoice.paid.${n}`, { ...PAID, plan: "Team" }, "invoice.paid");
    const team: AnyRule = {
      name: "team plan",
      on: "invoice.paid",
      when: (e: Loose) => e.data.plan === "Team",
      contact: { email: (e) => e.data.email },
      event: { name: "team" },
    };
    const { text, listed, end } = await printedFor([good], [good, team]);
    expect(text).toBe(`7 fixtures differ from their golden files. By rule:
  team plan (generic)  7 fixtures  new: matches 2, does not match 5

✗ generic, fixtures invoice.paid.1, invoice.paid.2, invoice.paid.3 and 2 more:
    + outcomes[team plan].outcome: "not matched"
✗ generic, fixtures invoice.paid.6, invoice.paid.7:
    + deliveries[team plan, event].contact.email: "ada@example.com"
    + deliveries[team plan, event].eventName: "team"
    + deliveries[team plan, event].eventProperties: {}
    + outcomes[team plan].outcome: "matched"

If all are meant: npm run check -- --update`);
    expect([listed, end]).toEqual(["", expect.stringMatching(/^✗ .*, 7 differences from golden files, 0\.0 s$/)]);
  });

  test("are after the errors, and count rules that changed and rules that are gone", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.paid.free", { ...PAID, amount: 0, plan: undefined }, "invoice.paid");
    const old: AnyRule = { ...good, name: "old", update: { seats: 1 } };
    const changed: AnyRule = { ...good, update: { plan: () => "Free" } };
    const throwing: AnyRule = { ...good, name: "throws", when: (e: Loose) => e.data.plan.length < 0 };
    const { text, listed, end } = await printedFor([good, old], [changed, throwing]);
    expect(listed).toMatch(/^✗ rule "throws" \(generic, fixture invoice\.paid\.free\): throws: data\.plan is absent/);
    expect(text).toContain(`1 fixture differs from its golden file. By rule:
  paid (generic)    1 fixture  changed in 1
  old (generic)     1 fixture  gone from 1
  throws (generic)  1 fixture  new: matches 0, does not match 1
`);
    expect(end).toMatch(/, \d errors?, 1 difference from golden files, /);
  });

  test("are no text where there are none", async () => {
    fixture("invoice.paid", PAID);
    const { text, end } = await printedFor([good], [good]);
    expect([text, end]).toEqual(["", expect.stringMatching(/^✓ .*, no errors, 0\.0 s$/)]);
  });

  test("a type error or a rule that throws comes first, in place of the deliveries", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.paid.free", { ...PAID, amount: 0, plan: undefined }, "invoice.paid");
    const changed: AnyRule = { ...good, update: { plan: () => "Free" } };
    const throwing: AnyRule = { ...good, name: "throws", when: (e: Loose) => e.data.plan.length < 0 };
    const shownFor = async (now: AnyRule[], types: Problem[] = []) => {
      await checkAll({ generic: sourceOf([good]) }, true);
      const checked = await checkAll({ generic: sourceOf(now) });
      const shown = { sources: {}, recipients: { allowed: [], ignored: [] } };
      return report(checked, [...types, ...checked.flatMap((one) => one.problems)], shown).split("\n");
    };
    const type: Problem = { level: "error", first: true, source: "src/a.ts:1", message: "Wrong." };
    const broken = await shownFor([changed, throwing], [type]);
    expect(broken[0]).toBe("✗ src/a.ts:1: Wrong.");
    expect(broken[1]).toMatch(/^✗ rule "throws" /);
    expect(broken.findIndex((line) => line.includes("By rule:"))).toBeGreaterThan(1);
    expect(broken.join("\n")).not.toContain("ada@example.com  plan=");
    expect(broken.at(-2)).toBe("The deliveries are listed when all types are right and no rule throws.");
    const whole = await shownFor([changed]);
    expect(whole.join("\n")).toMatch(/ada@example.com {2}plan="Free".*By rule:/s);
  });
});
