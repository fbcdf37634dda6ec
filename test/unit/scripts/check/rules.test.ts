import { describe, expect, test } from "vitest";
import { checkAgreement } from "../../../../scripts/check/name-conflicts.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { generic } from "../../../../src/handlers/generic.ts";
import { type AnyRule, joined, rules } from "../../../../src/rules/types.ts";
import type { Handler } from "../../../../src/webhook.ts";
import { checkAll, fixture, good, type Loose, PAID, problemsOf, sourceOf, useFolder } from "./setup.ts";

useFolder();

describe("rules", () => {
  test("an event type that no fixture has", async () => {
    fixture("invoice.paid", PAID);
    expect(await problemsOf([good, { ...good, name: "misspelled", on: ["invoice.paid", "invoice.payed"] }])).toEqual([
      expect.stringMatching(
        /^rule "misspelled" \(generic\): no fixture has the event type "invoice.payed"; .*"invoice.paid"\. /,
      ),
    ]);
  });

  test("a rule without a name is said first, and the others are checked", async () => {
    fixture("invoice.paid", PAID);
    await checkAll({ generic: sourceOf([good]) }, true);
    const { name, ...nameless } = good;
    const problems = async (rule: object) => {
      const [checked] = await checkAll({ generic: sourceOf([rule as AnyRule]) });
      return checked?.problems;
    };
    const misspelled = await problems({ nmae: name, ...nameless });
    expect(misspelled?.map(textOf)).toEqual([
      'rule "paid" (generic): has no name: the key `nmae` is misspelled `name`',
    ]);
    expect(misspelled).toMatchObject([{ first: true }]);
    expect((await problems(nameless))?.map(textOf)).toContain(
      'rule "on invoice.paid" (generic): has no name: give it the key `name`',
    );
  });

  test("several event types that no fixture has", async () => {
    fixture("invoice.paid", PAID);
    expect(await problemsOf([{ ...good, on: ["invoice.paid", "a", "b"] }])).toEqual([
      expect.stringContaining('rule "paid" (generic): no fixture has the event types "a", "b". '),
    ]);
  });

  test("a rule on an empty list of events", async () => {
    fixture("invoice.paid", PAID);
    expect(await problemsOf([good, { ...good, name: "never", on: [] }])).toEqual([
      'rule "never" (generic): never runs: `on` is an empty list',
    ]);
  });

  test("a rule that looks renamed is a note, before and while golden files are written", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.paid.free", { ...PAID, amount: 0 }, "invoice.paid");
    await checkAll({ generic: sourceOf([good]) }, true);
    const note =
      'rule "was paid" (generic): looks like the rule "paid" with a new name. The name is part of the Idempotency-Key of each delivery: if a webhook is replayed or sent again, its deliveries are sent again too';
    const notes = async (list: AnyRule[], update = false) => {
      const [{ problems } = { problems: [] }] = await checkAll({ generic: sourceOf(list) }, update);
      return problems.filter(({ level }) => level === "note").map(textOf);
    };
    const other = { ...good, name: "was paid" };
    expect(await notes([other])).toEqual([note]);
    expect(await notes([good, other])).toEqual([]);
    expect(await notes([{ ...other, update: { plan: "Free" } }])).toEqual([]);
    expect(await notes([{ ...other, when: () => true }])).toEqual([]);
    expect(await notes([other], true)).toEqual([note]);
    expect(await notes([other])).toEqual([]);
  });

  test("a rule that matches nothing, with the clause that was false", async () => {
    fixture("invoice.paid", PAID);
    expect(await problemsOf([{ ...good, when: (e) => e.data.amuont > 0 }])).toEqual([
      expect.stringMatching(
        /^rule "paid" \(generic\): matches no fixture\. This condition is false in the only fixture .*amuont > 0/,
      ),
    ]);
  });

  test("a value that is undefined in every fixture of its rule; null, or undefined in some, is fine", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.paid.free", { ...PAID, plan: undefined, coupon: null }, "invoice.paid");
    const update = {
      plan: good.update?.plan,
      coupon: (e: Loose) => e.data.coupon,
      amount: (e: Loose) => e.data.amuont,
    };
    expect(await problemsOf([{ ...good, update }])).toEqual([
      expect.stringMatching(
        /^rule "paid" \(generic\): update.amount is undefined in all 2 fixtures that the rule matches/,
      ),
    ]);
    for (const table of [
      { event: { name: "x", properties: { a: (e: Loose) => e.data.b } } },
      { transactional: { template: "receipt", variables: { a: (e: Loose) => e.data.b } } },
      { lists: { news: (e: Loose) => e.data.b } },
      { contact: { email: (e: Loose) => e.data.email, userId: (e: Loose) => e.data.b } },
    ]) {
      expect(await problemsOf([{ ...good, ...table }])).toHaveLength(1);
    }
  });

  test("a function that several rules share needs a value in one of them", async () => {
    fixture("invoice.paid", PAID);
    fixture("invoice.void", { ...PAID, plan: undefined });
    expect(await problemsOf([good, { ...good, name: "void", on: "invoice.void" }])).toEqual([]);
  });

  test("links that throw", async () => {
    fixture("invoice.paid", PAID);
    const links = () => {
      throw new Error("planted");
    };
    const ruleSet = rules(generic as unknown as Handler<Loose>, [good] as never, links);
    const [checked] = await checkAll({ generic: { rules: ruleSet, secret: "S" } }, true);
    expect(checked?.problems.map(textOf)).toEqual(['rule "links" (generic, fixture invoice.paid): throws: planted']);
  });

  test("a rule that throws in many fixtures is said once, with their count and each different message", async () => {
    for (let n = 1; n <= 5; n++) fixture(`invoice.paid.${n}`, { ...PAID, tier: undefined }, "invoice.paid");
    fixture("invoice.paid.6", { ...PAID, tier: { length: 1 } }, "invoice.paid");
    const when = (e: Loose) => e.data.tier.length.most.ever > 0;
    expect(await problemsOf([good, { ...good, name: "vip", when }])).toEqual([
      expect.stringMatching(
        /^rule "vip" \(generic\): throws in 6 fixtures \(invoice\.paid\.1, invoice\.paid\.2, invoice\.paid\.3 and 3 more\): data\.tier is absent: .*\ninvoice\.paid\.6: .*$/,
      ),
    ]);
  });

  test("the same name in two parts of a set", async () => {
    fixture("invoice.paid", PAID);
    const parts = [sourceOf([good]), sourceOf([good])].flatMap(({ rules }) => rules ?? []);
    const sources = { generic: { rules: joined(generic as Handler<Loose>, parts), secret: "S" } };
    const [{ problems } = { problems: [] }] = await checkAll(sources, true);
    expect(problems.map(textOf)).toEqual([expect.stringContaining('rule "paid" (generic): two rules have this name')]);
  });

  test("the same name twice, or a reserved name", async () => {
    fixture("invoice.paid", PAID);
    expect(await problemsOf([good, good])).toEqual([
      expect.stringContaining('rule "paid" (generic): two rules have this name'),
    ]);
    expect(await problemsOf([{ ...good, name: "links" }])).toEqual([expect.stringContaining("this name is reserved")]);
  });

  test("templates and lists that wrangler.toml does not have", async () => {
    fixture("invoice.paid", PAID);
    const found = await problemsOf([{ ...good, transactional: { template: "receit" }, lists: { letter: true } }]);
    expect(found).toEqual([
      'rule "paid" (generic): TEMPLATES in wrangler.toml has no template "receit"; it has "receipt". Did you mean "receipt"?',
      'rule "paid" (generic): LISTS in wrangler.toml has no mailing list "letter"; it has "news"',
    ]);
  });

  test("a template of a choice that wrangler.toml does not have, or that no fixture gets", async () => {
    fixture("invoice.paid", PAID);
    const template = (e: Loose) => (e.data.plan === "Pro" ? "receipt" : "recept");
    expect(await problemsOf([{ ...good, transactional: { template, templates: ["receipt", "recept"] } }])).toEqual([
      'rule "paid" (generic): no fixture gets the template "recept". Add a payload for which it is chosen',
      'rule "paid" (generic): TEMPLATES in wrangler.toml has no template "recept"; it has "receipt". Did you mean "receipt"?',
    ]);
  });

  test("deliveries that any email service would refuse", async () => {
    fixture("invoice.paid", { ...PAID, email: "nobody", plan: "x".repeat(501) });
    const found = await problemsOf([{ ...good, event: { name: "a:b", properties: { plan: (e) => e.data.plan } } }]);
    expect(found.join("\n")).toContain("the API would refuse the contact delivery: email must be an email address");
    expect(found.join("\n")).toContain(
      "the API would refuse the contact delivery: plan must be at most 500 characters",
    );
    expect(found.join("\n")).toContain("the API would refuse the event delivery: eventName must not contain a colon");
    expect(found.join("\n")).toContain("event delivery: eventProperties.plan must be at most 500 characters");
    expect(found.every((line) => line.startsWith('rule "paid" (generic, fixture invoice.paid): '))).toBe(true);
  });

  test("names that a property cannot have", async () => {
    fixture("invoice.paid", PAID);
    expect(
      await problemsOf([{ ...good, update: { "plan-name": "Pro", userGroup: "a", email: "b@example.com" } }]),
    ).toEqual([
      expect.stringContaining("the property name plan-name must be camelCase"),
      expect.stringContaining("the property name email must not be the name of a standard field"),
    ]);
  });

  test("types and spellings that differ between rules of several sources", async () => {
    fixture("invoice.paid", PAID);
    const events = (name: string, amount: unknown): NonNullable<AnyRule["event"]> => ({
      name,
      properties: { amount: amount as number },
    });
    const one = sourceOf([{ ...good, update: { plan: "Pro", seats: 1 }, event: events("bought", 1) }]);
    const two = sourceOf([{ ...good, name: "two", update: { plan: 7, Seats: 2 }, event: events("bought", "1") }]);
    const three = sourceOf([{ ...good, name: "three", update: {}, event: events("Bought", 1) }]);
    const checked = await checkAll({ one, two, three });
    expect(checkAgreement(checked).map(textOf)).toEqual([
      'rule "two" (two): the property "plan" is a number here and a text in rule "paid" (one)',
      'rule "two" (two): the property "Seats" is "seats" in rule "paid" (one)',
      'rule "three" (three): the event "Bought" is "bought" in rule "paid" (one)',
      'rule "two" (two): of the event "bought" the property "amount" is a text here and a number in rule "paid" (one)',
    ]);
  });
});
