import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { differences } from "../../../../scripts/check/differences.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { checkAll, fixture, folder, golden, good, type Loose, PAID, sourceOf, useFolder } from "./setup.ts";

useFolder();

describe("golden files", () => {
  test("a missing one is an error, --update writes it, and later runs compare with it", async () => {
    fixture("invoice.paid", PAID);
    const sources = { generic: sourceOf([good]) };
    expect((await checkAll(sources))[0]?.problems.map(textOf)).toEqual([
      "generic: no golden file yet for invoice.paid. Check its deliveries, then run npm run check -- --update",
    ]);
    expect(await checkAll(sources, true)).toMatchObject([{ written: 1, problems: [] }]);
    expect(JSON.parse(readFileSync(golden("invoice.paid"), "utf8"))).toEqual({
      type: "invoice.paid",
      deliveries: [
        { rule: "paid", contact: { email: "ada@example.com" }, action: "contact", properties: { plan: "Pro" } },
      ],
      outcomes: [{ rule: "paid", outcome: "matched" }],
      links: [],
    });
    expect(await checkAll(sources)).toMatchObject([{ problems: [] }]);
    expect(await checkAll(sources, true)).toMatchObject([{ written: 0 }]);
  });

  test("a difference names the rule and the value", async () => {
    fixture("invoice.paid", PAID);
    await checkAll({ generic: sourceOf([good]) }, true);
    const changed = { ...good, update: { plan: () => "Free" } };
    const [{ problems } = { problems: [] }] = await checkAll({ generic: sourceOf([changed]) });
    expect(problems.map(textOf)).toEqual([
      'rule "paid" (generic, fixture invoice.paid): differs from its golden file:\n' +
        'deliveries[paid, contact].properties.plan: "Pro" → "Free"',
    ]);
  });

  test("one without its fixture is an error, and --update removes it", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.paid.yen", PAID, "invoice.paid");
    const sources = { generic: sourceOf([good]) };
    await checkAll(sources, true);
    rmSync(join(folder, "generic", "invoice.paid.yen.json"));
    expect((await checkAll(sources))[0]?.problems.map(textOf)).toEqual([
      "generic, fixture invoice.paid.yen: has a golden file, but the fixture does not exist",
    ]);
    await checkAll(sources, true);
    expect(existsSync(golden("invoice.paid.yen"))).toBe(false);
  });

  test("a fixture with a failed rule never gets one", async () => {
    fixture("invoice.paid", { ...PAID, email: 7 });
    const sources = { generic: sourceOf([good]) };
    for (let i = 0; i < 2; i++) {
      expect((await checkAll(sources, true))[0]?.problems.map(textOf)).toEqual([
        'rule "paid" (generic, fixture invoice.paid): throws: The contact\'s email must be a string, got a number (data.email).',
      ]);
    }
    expect(existsSync(golden("invoice.paid"))).toBe(false);
  });

  test("a rule that throws on one fixture names it, and the golden files stay as they were", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.paid.free", { ...PAID, amount: 0, plan: "Free" }, "invoice.paid");
    const all = { ...good, when: () => true };
    await checkAll({ generic: sourceOf([all]) }, true);
    const before = readFileSync(golden("invoice.paid.free"), "utf8");
    const throwing = { ...all, update: { plan: (e: Loose) => (e.data.amount === 0 ? JSON.parse("planted") : "Pro") } };
    const [{ problems, written } = { problems: [], written: -1 }] = await checkAll(
      { generic: sourceOf([throwing]) },
      true,
    );
    expect(problems.map(textOf)).toEqual([
      expect.stringMatching(
        /^rule "paid" \(generic, fixture invoice\.paid\.free\): throws: .*"planted" is not valid JSON$/,
      ),
    ]);
    expect([written, readFileSync(golden("invoice.paid.free"), "utf8")]).toEqual([0, before]);
  });
});

test("differences, by the path of each value", () => {
  expect(differences({ a: 1, b: [] }, { b: [], a: 1 })).toEqual([]);
  expect(differences({ a: { b: 1, c: 2 } }, { a: { b: 2, d: 3 } })).toEqual(["a.b: 1 → 2", "- a.c: 2", "+ a.d: 3"]);
  const delivery = (rule: string) => ({ rule, action: "event", eventName: rule });
  expect(differences({ deliveries: [delivery("b")] }, { deliveries: [delivery("a"), delivery("b")] })).toEqual([
    '+ deliveries[a, event].eventName: "a"',
  ]);
  expect(differences([delivery("a"), delivery("b")], [delivery("b"), delivery("a")])).toEqual([
    "the deliveries are in another order",
  ]);
});
