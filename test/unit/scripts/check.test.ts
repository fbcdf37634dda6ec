import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkAgreement } from "../../../scripts/check/agree.ts";
import { type Checked, check } from "../../../scripts/check/check.ts";
import { differences } from "../../../scripts/check/differences.ts";
import { loadSources } from "../../../scripts/check/load.ts";
import { list, table } from "../../../scripts/check/print.ts";
import { textOf } from "../../../scripts/check/problem.ts";
import { checkRedact } from "../../../scripts/check/redact.ts";
import { notCheckable } from "../../../scripts/check/subjects.ts";
import { readDiagnostics, toProblem } from "../../../scripts/check/types.ts";
import { generic } from "../../../src/handlers/generic.ts";
import { segment } from "../../../src/handlers/segment.ts";
import { type AnyRule, joined, rules } from "../../../src/rules/types.ts";
import type { Source } from "../../../src/sources.ts";
import type { Handler } from "../../../src/webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: a payload whose type is loose, as some providers' are
type Loose = { type: string; data: any };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-check-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, content: unknown) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
};
const fixture = (name: string, data: unknown, type = name) => write(`generic/${name}.json`, { type, data });
const golden = (name: string) => join(folder, "generic", "expected", `${name}.json`);

const sourceOf = (list: AnyRule[], handler: unknown = generic): Source => ({
  rules: rules(handler as Handler<Loose>, list as never),
  secret: "S",
});
const config = {
  templates: { receipt: "tpl_1" },
  lists: { news: "lst_1" },
  contactProperties: "nested",
  apiUrl: "",
} as const;
const checkAll = (sources: Record<string, Source>, update = false): Promise<Checked[]> =>
  check(sources, { fixtures: folder, config, update });
/** What is wrong with these rules, once their golden files are written. */
const problemsOf = async (list: AnyRule[]): Promise<string[]> => {
  const checked = await checkAll({ generic: sourceOf(list) }, true);
  return checked.flatMap(({ problems }) => problems.map(textOf));
};

const good: AnyRule = {
  name: "paid",
  on: "invoice.paid",
  when: (e) => e.data.amount > 0,
  contact: { email: (e) => e.data.email },
  update: { plan: (e) => e.data.plan },
};
const PAID = { email: "ada@example.com", amount: 5, plan: "Pro" };

describe("golden files", () => {
  test("a missing one is an error, --update writes it, and later runs compare with it", async () => {
    fixture("invoice.paid", PAID);
    const sources = { generic: sourceOf([good]) };
    expect((await checkAll(sources))[0]?.problems.map(textOf)).toEqual([
      "generic: no golden file yet for invoice.paid. Check the calls above, then run npm run check -- --update",
    ]);
    expect(await checkAll(sources, true)).toMatchObject([{ written: 1, problems: [] }]);
    expect(JSON.parse(readFileSync(golden("invoice.paid"), "utf8"))).toEqual({
      type: "invoice.paid",
      calls: [{ rule: "paid", contact: { email: "ada@example.com" }, action: "contact", properties: { plan: "Pro" } }],
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
        'calls[paid, contact].properties.plan: "Pro" → "Free"',
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
        'rule "paid" (generic, fixture invoice.paid): throws: The contact\'s email must be a string, got a number.',
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

describe("rules", () => {
  test("an event type that no fixture has", async () => {
    fixture("invoice.paid", PAID);
    expect(await problemsOf([good, { ...good, name: "misspelt", on: ["invoice.paid", "invoice.payed"] }])).toEqual([
      expect.stringMatching(
        /^rule "misspelt" \(generic\): no fixture has the event type "invoice.payed"; .*"invoice.paid"\. /,
      ),
    ]);
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
      'rule "was paid" (generic): looks like the rule "paid" with a new name. The name is part of the Idempotency-Key of each call: if a webhook is replayed or sent again, its calls are sent again too';
    const notes = async (list: AnyRule[], update = false) => {
      const [{ problems } = { problems: [] }] = await checkAll({ generic: sourceOf(list) }, update);
      return problems.filter(({ level }) => level === "note").map(textOf);
    };
    const other = { ...good, name: "was paid" };
    expect(await notes([other])).toEqual([note]);
    // One more beside the old one, and another that does something else, are no rename.
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
      'rule "paid" (generic): LISTS in wrangler.toml has no mailing list "letter"; it has "news". Did you mean "news"?',
    ]);
  });

  test("calls that any host would refuse", async () => {
    fixture("invoice.paid", { ...PAID, email: "nobody", plan: "x".repeat(501) });
    const found = await problemsOf([{ ...good, event: { name: "a:b", properties: { plan: (e) => e.data.plan } } }]);
    expect(found.join("\n")).toContain("the API would refuse the contact call: email must be an email address");
    expect(found.join("\n")).toContain("the API would refuse the contact call: plan must be at most 500 characters");
    expect(found.join("\n")).toContain("the API would refuse the event call: eventName must not contain a colon");
    expect(found.join("\n")).toContain("event call: eventProperties.plan must be at most 500 characters");
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

describe("fixtures", () => {
  test("that are not JSON, or not of the provider, are errors", async () => {
    fixture("invoice.paid", PAID);
    writeFileSync(join(folder, "generic", "broken.json"), "{");
    write("generic/list.json", []);
    const found = await problemsOf([good]);
    expect(found).toEqual([
      expect.stringContaining("generic, fixture broken: cannot be read: "),
      expect.stringContaining("generic, fixture list: cannot be read: The body is not a Standard Webhooks event"),
    ]);
  });

  test("headers of a fixture replace the usual ones; a batch is several webhooks", async () => {
    const seen: (string | null)[] = [];
    const handler: Handler = {
      ...segment,
      items: (content) => content as unknown[],
      read: async ({ headers }, item, now) => {
        seen.push(headers.get("webhook-id"), headers.get("x-topic"));
        return { id: "1", type: "invoice.paid", occurredAt: now, body: item };
      },
    };
    write("segment/batch.json", [{ data: PAID }, { data: PAID }]);
    write("segment/batch.headers.json", { "X-Topic": "t" });
    const [checked] = await checkAll({ segment: sourceOf([good], handler) }, true);
    expect(seen).toEqual(["msg_batch", "t", "msg_batch", "t"]);
    expect(checked?.problems).toEqual([]);
    const kept = JSON.parse(readFileSync(join(folder, "segment", "expected", "batch.json"), "utf8"));
    expect(kept).toHaveLength(2);
  });

  test("come from the folder of the source, otherwise of its provider; one set of rules is checked once", async () => {
    fixture("invoice.paid", PAID);
    const shared = sourceOf([good]);
    const sources = { generic: shared, other: shared, "generic-eu": shared };
    expect((await checkAll(sources, true)).map(({ sources, runs }) => [sources, runs.length])).toEqual([
      [["generic", "other", "generic-eu"], 1],
    ]);
    write("generic-eu/invoice.paid.json", { type: "invoice.paid", data: { ...PAID, plan: "EU" } });
    const [again] = await checkAll(sources, true);
    expect(again?.runs).toHaveLength(2);
    expect(existsSync(join(folder, "generic-eu", "expected", "invoice.paid.json"))).toBe(true);
  });

  test("other rules over the same fixtures have golden files of their own", async () => {
    fixture("invoice.paid", PAID);
    const other = sourceOf([{ ...good, update: { plan: "EU" } }]);
    const sources = { generic: sourceOf([good]), "generic-eu": other };
    await checkAll(sources, true);
    expect((await checkAll(sources)).flatMap(({ problems }) => problems)).toEqual([]);
    expect(existsSync(join(folder, "generic-eu", "expected", "invoice.paid.json"))).toBe(true);
  });
});

test("a path in redact that no fixture of its source has", async () => {
  fixture("invoice.paid", { ...PAID, card: { last4: null } });
  const withPaths = (redact: string[]) => ({ ...sourceOf([good]), redact });
  const check = async (sources: Record<string, Source>, only?: string) =>
    (await checkRedact(sources, folder, only)).map((problem) => [problem.level, textOf(problem)]);
  expect(await check({ generic: withPaths(["data.email", "data.card.last4"]) })).toEqual([]);
  const missing = (path: string, where = "no fixture has this path", of = "generic") => [
    "error",
    `${of}: redact has the path "${path}", but ${where}. Is it misspelt? A wrong path redacts nothing. Otherwise add a payload with it to test/fixtures/${of}`,
  ];
  const sources = { generic: withPaths(["data.email", "data.emial", "email", "data.card.last4.x"]) };
  expect(await check(sources)).toEqual(["data.emial", "email", "data.card.last4.x"].map((path) => missing(path)));
  // A source without rules, and a source without a fixture.
  const silent = { handler: generic as unknown as Handler, secret: "S", redact: ["data.emial"] };
  expect(await check({ generic: silent })).toEqual([missing("data.emial")]);
  expect(await check({ segment: { handler: segment as Handler, secret: "S", redact: ["userId"] } })).toEqual([
    missing("userId", "there is no fixture", "segment"),
  ]);
  expect(await check({ generic: silent, other: withPaths([]) }, "other")).toEqual([]);
});

test("--only needs a source that exists and has rules", () => {
  const sources = { generic: sourceOf([good]), segment: { handler: segment as Handler, secret: "S" } };
  expect(notCheckable(sources, "generic")).toBeUndefined();
  expect(notCheckable(sources, "segment")).toMatch(/"segment" has no rules.*nothing to check/);
  expect(notCheckable(sources, "genric")).toMatch(/no source "genric".*Did you mean generic/);
});

test("the table shows every whole call, and the condition that was false", async () => {
  fixture("invoice.paid", PAID);
  fixture("invoice.paid.free", { ...PAID, amount: 0 }, "invoice.paid");
  fixture("invoice.sent", PAID);
  const mail = { template: "receipt", variables: { plan: (e: Loose) => e.data.plan }, urgent: { expires: "10m" } };
  const rule: AnyRule = {
    ...good,
    lists: { news: true },
    event: { name: "paid" },
    transactional: mail,
    remove: "delete",
  };
  const [{ runs } = { runs: [] }] = await checkAll({ generic: sourceOf([rule]) });
  expect(table(runs, false)).toBe(
    [
      "  invoice.paid",
      '    paid  contact  ada@example.com  plan="Pro"  joins news',
      "          event    ada@example.com  paid",
      '          mail     receipt → ada@example.com  plan="Pro"  urgent  until 2025-11-12T12:10:00.000Z',
      "          delete   ada@example.com",
      "  invoice.paid.free",
      "    paid  not matched: (e) => e.data.amount > 0",
      "  invoice.sent",
      "          no rule for invoice.sent",
    ].join("\n"),
  );
  expect(
    list([
      { level: "note", message: "b" },
      { level: "error", message: "a\nmore" },
    ]),
  ).toBe("✗ a\n    more\n· b");
});

test("differences, by the path of each value", () => {
  expect(differences({ a: 1, b: [] }, { b: [], a: 1 })).toEqual([]);
  expect(differences({ a: { b: 1, c: 2 } }, { a: { b: 2, d: 3 } })).toEqual(["a.b: 1 → 2", "- a.c: 2", "+ a.d: 3"]);
  const call = (rule: string) => ({ rule, action: "event", eventName: rule });
  expect(differences({ calls: [call("b")] }, { calls: [call("a"), call("b")] })).toEqual([
    '+ calls[a, event].eventName: "a"',
  ]);
  expect(differences([call("a"), call("b")], [call("b"), call("a")])).toEqual(["the calls are in another order"]);
});

test("an error of tsc names file and line, and shows the line", () => {
  mkdirSync(join(folder, "src", "mappings"), { recursive: true });
  writeFileSync(join(folder, "src", "mappings", "x.ts"), 'const a = 1;\n  { name: "first", on: a.x },\n');
  const output = `src/mappings/x.ts(2,26): error TS2551: Property 'x' does not exist.
  Did you mean 'y'?
src/other.ts(3,1): error TS1: Wrong.
error TS5083: Cannot read file.
`;
  expect(
    readDiagnostics(output)
      .map((diagnostic) => toProblem(folder, diagnostic))
      .map(textOf),
  ).toEqual([
    "src/mappings/x.ts:2: Property 'x' does not exist.\n  Did you mean 'y'?\n{ name: \"first\", on: a.x },",
    "src/other.ts:3: Wrong.",
    "Cannot read file.",
  ]);
});

describe("sources", () => {
  test("are loaded", async () => {
    const sources = { generic: sourceOf([good]) };
    expect(await loadSources(async () => ({ sources }))).toEqual({ sources, problems: [] });
  });

  test("that cannot be loaded are a problem with file and line", async () => {
    mkdirSync(join(folder, "src", "mappings"), { recursive: true });
    const mapping = join(folder, "src", "mappings", "planted.ts");
    writeFileSync(mapping, '\nthrow new Error("planted");\n');
    const { sources, problems } = await loadSources(() => import(mapping));
    expect([sources, problems.map(textOf)]).toEqual([
      {},
      ["src/mappings/planted.ts:2: the rules cannot be loaded: planted"],
    ]);
  });
});
