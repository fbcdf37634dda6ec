import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Checked } from "../../../../scripts/check/check.ts";
import { checkEvents } from "../../../../scripts/check/live/events.ts";
import { checkLists } from "../../../../scripts/check/live/lists.ts";
import { checkLive } from "../../../../scripts/check/live/live.ts";
import { paced } from "../../../../scripts/check/live/pace.ts";
import { checkProperties } from "../../../../scripts/check/live/properties.ts";
import { askService, type ServiceNames } from "../../../../scripts/check/live/service.ts";
import { templatesOf, whereOf } from "../../../../scripts/check/live/service-address.ts";
import { checkTemplates } from "../../../../scripts/check/live/templates.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { run } from "../../../../scripts/check/run.ts";
import { generic } from "../../../../src/handlers/generic.ts";
import { type AnyRule, rules } from "../../../../src/rules/types.ts";
import type { Handler } from "../../../../src/webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: a payload whose type is loose
type Loose = { type: string; data: any };

const config = { templates: {}, lists: {}, contactProperties: "nested", apiUrl: "" } as const;

const checkedOf = async (fields: Partial<AnyRule>, data: Record<string, unknown> = {}): Promise<Checked[]> => {
  const rule = { name: "paid", on: "paid", contact: { email: "ada@example.com" }, ...fields };
  const ruleSet = rules(generic as Handler<Loose>, [rule] as never);
  const fixture = { name: "paid", raw: JSON.stringify({ type: "paid", data }), headers: {} };
  const runs = [await run("generic", ruleSet, fixture)];
  return [{ sources: ["generic"], ruleSet, testData: false, folders: [], runs, problems: [], written: 0 }];
};

const service: ServiceNames = {
  team: "Acme",
  properties: new Map([
    ["plan", "string"],
    ["seats", "number"],
    ["active", "boolean"],
    ["endsAt", "date"],
  ]),
  lists: new Map([
    ["lst_1", { name: "News", archived: false }],
    ["lst_2", { name: "Old", archived: true }],
  ]),
  events: ["signedUp"],
  templates: new Map([["tpl_1", { name: "Receipt", variables: ["amount", "company", "name"] }]]),
  unpublished: new Map([["tpl_2", "Draft"]]),
  fallbacks: async () => ["company"],
  eventTypes: async () =>
    new Map([
      ["plan", "string"],
      ["at", "date"],
    ]),
};
const lines = (problems: readonly { level: string }[]) =>
  problems.map((problem) => `${problem.level}: ${textOf(problem as never)}`);

describe("templates", () => {
  const mail = (template: string, variables: Record<string, unknown>): Partial<AnyRule> => ({
    transactional: { template, variables: variables as Record<string, string> },
  });
  const check = async (fields: Partial<AnyRule>, data?: Record<string, unknown>) =>
    lines(
      await checkTemplates(await checkedOf(fields, data), { receipt: "tpl_1", draft: "tpl_2", gone: "tpl_9" }, service),
    );

  test("with the variables of the rule", async () => {
    expect(await check(mail("receipt", { amount: "1", name: "Ada" }))).toEqual([]);
  });

  test("with a variable that has a fallback, given or not", async () => {
    const variables = { amount: "1", name: "Ada", company: (e: Loose) => e.data.company };
    expect(await check(mail("receipt", variables), { company: "Acme" })).toEqual([]);
    expect(await check(mail("receipt", variables), { company: null })).toEqual([]);
  });

  test("with a variable that only one side has", async () => {
    expect(await check(mail("receipt", { amuont: "1", name: "Ada" }))).toEqual([
      'error: rule "paid" (generic): the template "receipt" needs the variable "amount", which the rule does not have. The email service would refuse the email. Is it "amuont" of the rule?',
      'error: rule "paid" (generic): the template "receipt" has no variable "amuont". The value would not appear in the email',
    ]);
  });

  test("for which a fixture has no value", async () => {
    const variables = { amount: "1", name: (e: Loose) => e.data.name };
    expect(await check(mail("receipt", variables), { name: null })).toEqual([
      'error: rule "paid" (generic, fixture paid): has no value for "name", which the template "receipt" needs',
    ]);
  });

  test("that do not exist, or are not published", async () => {
    expect(await check(mail("gone", {}))).toEqual([
      'error: rule "paid" (generic): the template "gone" is "tpl_9" in TEMPLATES, which the email service does not have; it has Receipt (tpl_1)',
    ]);
    expect(await check(mail("draft", {}))).toEqual([
      'error: rule "paid" (generic): the template "draft" (Draft, tpl_2) is not published at the email service',
    ]);
  });
});

describe("contact properties", () => {
  const check = async (update: Record<string, unknown>, creates = false) =>
    lines(checkProperties(await checkedOf({ update: update as Record<string, string> }), service, creates));

  test("of the email service's types", async () => {
    const fits = { plan: "Pro", seats: 3, active: true, endsAt: "2026-01-01T00:00:00.000Z", firstName: "Ada" };
    expect(await check(fits)).toEqual([]);
    expect(await check({ plan: null, endsAt: 1_767_225_600_000 })).toEqual([]);
  });

  test.each([
    [{ plan: 7 }, '"plan" is a string at the email service, but the rule gives a number: 7'],
    [{ seats: "3" }, '"seats" is a number at the email service, but the rule gives a text: "3"'],
    [{ active: "yes" }, '"active" is a boolean at the email service, but the rule gives a text: "yes"'],
    [{ endsAt: "soon" }, '"endsAt" is a date at the email service, but the rule gives a text: "soon"'],
    [{ endsAt: true }, '"endsAt" is a date at the email service, but the rule gives true or false: true'],
  ])("of another type: %j", async (update, message) => {
    expect(await check(update)).toEqual([`error: rule "paid" (generic, fixture paid): the property ${message}`]);
  });

  test("that do not exist: an error, unless the team creates them; with another case always an error", async () => {
    expect(await check({ plann: "Pro" })).toEqual([
      'error: rule "paid" (generic): the email service has no property "plann". Did you mean "plan"? (of the type string)',
    ]);
    expect(await check({ plann: "Pro" }, true)).toEqual([
      "note: contact properties that the email service does not have yet. It creates each with its first value: plann",
    ]);
    for (const creates of [false, true]) {
      expect(await check({ Plan: "Pro" }, creates)).toEqual([
        'error: rule "paid" (generic): the property "Plan" is "plan" at the email service',
      ]);
    }
  });
});

describe("events", () => {
  const check = async (name: string, properties: Record<string, unknown> = {}) =>
    lines(
      await checkEvents(
        await checkedOf({ event: { name, properties: properties as Record<string, string> } }),
        service,
      ),
    );

  test("that the email service knows, with the types it knows", async () => {
    expect(await check("signedUp", { plan: "Pro", at: "2026-01-01", more: 1 })).toEqual([]);
    expect(await check("signedUp", { plan: 1 })).toEqual([
      'note: rule "paid" (generic, fixture paid): of the event "signedUp" the property "plan" is a string at the email service, but the rule gives a number: 1',
    ]);
  });

  test("with another case are errors, unknown ones are notes", async () => {
    expect(await check("SignedUp")).toEqual([
      expect.stringContaining('error: rule "paid" (generic): the event "SignedUp" is "signedUp" at the email service'),
    ]);
    expect(await check("upgraded")).toEqual([
      "note: events that the email service does not know yet. It adds each with the first delivery: upgraded",
    ]);
  });
});

test("mailing lists that do not exist, or are archived while a rule adds contacts", async () => {
  const check = async (lists: Record<string, boolean>) =>
    lines(checkLists(await checkedOf({ lists }), { news: "lst_1", old: "lst_2", gone: "lst_9" }, service));
  expect(await check({ news: true, old: false })).toEqual([]);
  expect(await check({ gone: true })).toEqual([
    'error: rule "paid" (generic): the list "gone" is "lst_9" in LISTS, which the email service does not have; it has News (lst_1), Old (lst_2)',
  ]);
  expect(await check({ old: true })).toEqual([
    'error: rule "paid" (generic): the list "old" (Old) is archived at the email service: no contact can join it',
  ]);
});

describe("which email service is asked", () => {
  const local = "http://127.0.0.1:8788";
  test("is in the environment, .dev.vars or wrangler.toml, otherwise the local one", () => {
    const hosted = { ...config, apiUrl: "https://c.example" };
    const env = { EMAIL_API_URL: "https://a.example", EMAIL_API_KEY: "ka" };
    const vars = { EMAIL_API_URL: "https://b.example", EMAIL_API_KEY: "kb" };
    expect(whereOf(env, vars, hosted)).toMatchObject({ url: "https://a.example", key: "ka", local: false });
    expect(whereOf({}, vars, hosted)).toMatchObject({ url: "https://b.example", key: "kb" });
    expect(whereOf({}, { EMAIL_API_KEY: "kb" }, hosted)).toMatchObject({ url: "https://c.example", key: "kb" });
    expect(whereOf({}, { EMAIL_API_KEY: "kb" }, config)).toMatchObject({ url: local, key: "kb", local: true });
    expect(whereOf({ EMAIL_PORT: "9" }, { EMAIL_API_KEY: "k" }, config).url).toBe("http://127.0.0.1:9");
  });

  test("a key goes only to its own email service, and only over https", () => {
    const vars = { EMAIL_API_KEY: "local-key" };
    expect(() => whereOf({ EMAIL_API_URL: "https://a.example" }, vars, config)).toThrow(
      "no API key for https://a.example",
    );
    expect(() => whereOf({}, {}, config)).toThrow("Run npm start once");
    const plain = { EMAIL_API_URL: "http://a.example", EMAIL_API_KEY: "k" };
    expect(() => whereOf(plain, {}, config)).toThrow("https address");
    expect(() => whereOf({ ...plain, EMAIL_API_URL: "a.example" }, {}, config)).toThrow("not an address");
  });

  test("ids of templates in the environment replace those of wrangler.toml", () => {
    const templates = { receipt: "tpl_1", "magic-link": "tpl_2" };
    expect(templatesOf({ TEMPLATE_MAGIC_LINK: "cl2" }, { ...config, templates })).toEqual({
      receipt: "tpl_1",
      "magic-link": "cl2",
    });
  });
});

test("requests stay under ten per second, and a 429 is repeated after Retry-After", async () => {
  const at: number[] = [];
  const fetch = paced(async () => {
    at.push(performance.now());
    return new Response("{}", at.length === 2 ? { status: 429, headers: { "Retry-After": "0.01" } } : {});
  });
  const answers = await Promise.all([1, 2, 3].map(() => fetch("http://x.test")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(at).toHaveLength(4);
  // A timer may be late, and then the next gap is shorter.
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(300);
});

describe("an email service", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());
  const serve = async (answer: (path: string) => [status: number, body: unknown]) => {
    server = createServer((request, response) => {
      const [status, body] = answer(request.url ?? "");
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, key: "k", from: "test", local: true };
  };

  test("that refuses the key, is no email service of the API, or does not answer, is one error", async () => {
    await expect(askService(await serve(() => [401, { message: "Invalid API key" }]))).rejects.toThrow(
      /refuses this API key: Invalid API key/,
    );
    server?.close();
    await expect(askService(await serve(() => [200, "a page"]))).rejects.toThrow(
      /does not answer like an email service with the v1 API/,
    );
    server?.close();
    const silent = { url: "http://127.0.0.1:9", key: "k", from: "test", local: true };
    await expect(askService(silent)).rejects.toThrow(/Nothing answers at http:\/\/127.0.0.1:9 .*Run npm start/);
  });

  test("is read to its last page; an operation it does not have is a note", async () => {
    const asked: string[] = [];
    const where = await serve((path) => {
      asked.push(path);
      const page = (data: unknown[], nextCursor: string | null) => ({ data, pagination: { nextCursor } });
      const template = (id: string) => ({ id, name: id, lastUpdated: "", dataVariables: ["a"] });
      if (path === "/v1/api-key") return [200, { success: true, teamName: "Acme" }];
      if (path.startsWith("/v1/contacts/properties")) return [200, [{ key: "plan", label: "Plan", type: "number" }]];
      if (path.startsWith("/v1/transactional?")) {
        return [200, path.includes("cursor=c2") ? page([template("two")], null) : page([template("one")], "c2")];
      }
      return [404, { message: "Not found" }];
    });
    const checked = await checkedOf({
      update: { plan: "Pro", long: "x".repeat(499) },
      transactional: { template: "t", variables: { a: "1" } },
    });
    const flat = { templates: { t: "two" }, lists: {}, contactProperties: "flat" } as const;
    const { team, problems } = await checkLive(checked, flat, where, true);
    expect(team).toBe("Acme");
    expect(lines(problems)).toEqual([
      "note: the email service cannot list its mailing lists, so they are not compared",
      "note: the email service cannot list its event patterns, so they are not compared",
      'error: rule "paid" (generic, fixture paid): the property "plan" is a number at the email service, but the rule gives a text: "Pro"',
      "note: contact properties that the email service does not have yet. It creates each with its first value: long",
      expect.stringContaining('rule "paid" (generic, fixture paid): "long" has more than 498 characters'),
    ]);
    expect(asked.filter((path) => path.startsWith("/v1/transactional?"))).toHaveLength(2);
  });

  test("names the fallbacks of a template that it shows", async () => {
    const where = await serve((path) => {
      const page = (data: unknown[]) => [200, { data, pagination: { nextCursor: null } }] as [number, unknown];
      if (path === "/v1/api-key") return [200, { success: true, teamName: "Acme" }];
      if (path.startsWith("/v1/contacts/properties") || path.startsWith("/v1/lists")) return [200, []];
      if (path.startsWith("/v1/transactional-emails?")) {
        return page([{ id: "one", name: "One", publishedEmailMessageId: "msg_1" }]);
      }
      if (path === "/v1/email-messages/msg_1") return [200, { dataVariablesFallbacks: { company: "Acme" } }];
      return path.startsWith("/v1/email-messages") ? [404, { message: "Not found" }] : page([]);
    });
    const { fallbacks } = await askService(where);
    expect([await fallbacks("one"), await fallbacks("two")]).toEqual([["company"], []]);
  });
});
