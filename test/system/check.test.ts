import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cloneRepository } from "./clone.ts";
import { type Mailspan, secrets, startMailspan } from "./mailspan.ts";

const root = join(import.meta.dirname, "..", "..");
const node = join(root, "node_modules", ".bin", "node");

type Ended = { code: number; output: string };

/** `npm run check` without npm in between. */
const check = (path: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const { EMAIL_API_URL: _url, EMAIL_API_KEY: _key, ...rest } = process.env;
    const options = { cwd: path, env: { ...rest, ...env } };
    execFile(node, ["scripts/check.ts", ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });

type Clone = Awaited<ReturnType<typeof cloneRepository>>;

/** A clone whose tsc looks at the bridge alone: the rest takes most of its time, and is not what is tested. */
const cloneBridge = async (): Promise<Clone> => {
  const clone = await cloneRepository();
  const file = join(clone.path, "scripts", "check", "tsconfig.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("../../src", "../../src/index.ts"));
  return clone;
};

/** What the tests change in a clone. */
const INVOICES = join("src", "mappings", "stripe", "invoices.ts");
const CHANGED = [join("src", "mappings"), join("test", "fixtures", "stripe")];

/** Two clones, so that two runs go at a time: each keeps a processor busy. */
const lanes = [1, 2].map(() => ({ clone: cloneBridge(), last: Promise.resolve() as Promise<unknown> }));
let next = 0;
afterAll(() => Promise.all(lanes.map(async ({ clone }) => (await clone).remove())));

/** Does something in a clone that nobody else uses meanwhile, and puts the files back. */
const inClone = <T>(work: (path: string) => Promise<T>): Promise<T> => {
  const lane = lanes[next++ % lanes.length] as (typeof lanes)[number];
  const done = lane.last.then(async () => {
    const { path } = await lane.clone;
    try {
      return await work(path);
    } finally {
      for (const folder of CHANGED) cpSync(join(root, folder), join(path, folder), { recursive: true });
    }
  });
  lane.last = done.catch(() => {});
  return done;
};

/** Replaces the first `from` after the name of a rule. */
const plant = (file: string, rule: string, from: string, to: string): void => {
  const text = readFileSync(file, "utf8");
  const at = text.indexOf(from, text.indexOf(`name: "${rule}"`));
  if (at < 0) throw new Error(`${file} has no ${from} in the rule "${rule}"`);
  writeFileSync(file, text.slice(0, at) + to + text.slice(at + from.length));
};

test("npm run check shows every source and call, and finds nothing wrong, in less than ten seconds", async () => {
  const { code, output } = await check(root, []);
  expect(output).toMatch(/^stripe: \d+ rules, \d+ fixtures$/m);
  expect(output).toMatch(/^ {4}checkout receipt +mail +receipt → ada@example.com .*amount="\$29.00"/m);
  expect(output).toMatch(/^ {4}.*not matched: \(e\) => /m);
  const [, seconds] = /^✓ \d+ sources, \d+ rules, \d+ fixtures, \d+ calls, no errors, ([\d.]+) s$/m.exec(output) ?? [];
  expect(seconds, output.split("\n✗")[1] ?? "").toBeDefined();
  expect(Number(seconds)).toBeLessThan(10);
  expect(code).toBe(0);
});

describe.concurrent("npm run check", () => {
  const PAID = JSON.parse(
    readFileSync(join(import.meta.dirname, "..", "fixtures", "stripe", "invoice.paid.json"), "utf8"),
  ) as { id: string };
  test.each([
    {
      fault: "a misspelt payload path",
      from: "amount_paid, e.",
      to: "amount_payed, e.",
      says: [
        /^✗ rule "renewal receipt" \(src\/mappings\/stripe\/invoices.ts:\d+\): Property 'amount_payed' does not exist/m,
      ],
    },
    {
      fault: "a misspelt event type",
      from: 'on: "invoice.paid"',
      to: 'on: "invoice.payed"',
      says: [
        /^✗ rule "renewal receipt" \(stripe\): no fixture of the event type "invoice.payed"; .*"invoice.paid"/m,
        /^✗ rule "renewal receipt" \(src\/mappings\/stripe\/invoices.ts:\d+\): .*invoice.payed/m,
      ],
    },
    {
      fault: "a template that no configuration has",
      from: 'template: "receipt"',
      to: 'template: "receit"',
      says: [
        /^✗ rule "renewal receipt" \(stripe\): TEMPLATES in wrangler.toml has no template "receit"; .*"receipt"\?$/m,
      ],
    },
    {
      fault: "a rule that throws on one fixture",
      from: "when: (e) =>",
      to: `when: (e) => e.id === ${JSON.stringify(PAID.id)} ? JSON.parse("planted") :`,
      says: [/^✗ rule "renewal receipt" \(stripe, fixture invoice.paid\): throws: .*"planted" is not valid JSON$/m],
    },
    {
      fault: "an event type that does not exist",
      from: 'on: "invoice.paid"',
      to: 'on: ["invoice.paid", "parcel.vanished"]',
      says: [
        /^✗ rule "renewal receipt" \(stripe\): no fixture of the event type "parcel.vanished"/m,
        /^✗ rule "renewal receipt" \(src\/mappings\/stripe\/invoices.ts:\d+\): .*parcel.vanished/m,
      ],
    },
  ])("$fault fails it, by the name of the rule and the cause", async ({ from, to, says }) => {
    const { code, output } = await inClone((path) => {
      plant(join(path, INVOICES), "renewal receipt", from, to);
      return check(path, ["--quiet"]);
    });
    for (const line of says) expect(output).toMatch(line);
    expect(output).toMatch(/^✗ \d+ sources, .* errors?, /m);
    expect(code).toBe(1);
  });

  test("--update makes a change of calls the expected one, but not a fault", async () => {
    await inClone(async (path) => {
      const mapping = join(path, INVOICES);
      plant(mapping, "renewal receipt", '"there"', '"you"');
      plant(mapping, "renewal receipt", "customer_name ?? ", "customer_email && ");
      expect((await check(path, ["--quiet", "--only", "stripe", "--update"])).output).toContain("written");
      const golden = join(path, "test", "fixtures", "stripe", "expected", "invoice.paid.json");
      expect(readFileSync(golden, "utf8")).toContain('"name": "you"');
      plant(mapping, "renewal receipt", '"you"', 'JSON.parse("planted")');
      const { code, output } = await check(path, ["--quiet", "--only", "stripe", "--update"]);
      expect(output).toMatch(/rule "renewal receipt" \(stripe, fixture invoice.paid\): throws/);
      expect(readFileSync(golden, "utf8")).toContain('"name": "you"');
      expect(code).toBe(1);
    });
  });

  test("a mapping that cannot be loaded, and an unknown source, are told in a sentence", async () => {
    await inClone(async (path) => {
      const unknown = await check(path, ["--only", "strip"]);
      expect(unknown.output).toBe('There is no source "strip" in src/sources.ts. Did you mean stripe?\n');
      expect(unknown.code).toBe(1);
      appendFileSync(join(path, "src", "mappings", "clerk.ts"), '\nthrow new Error("planted");\n');
      const { code, output } = await check(path, ["--quiet"]);
      expect(output).toMatch(/^✗ src\/mappings\/clerk.ts:\d+: the rules cannot be loaded: planted$/m);
      expect(code).toBe(1);
    });
  });
});

/** The rules of a team's own, with what the host has otherwise in `Planted`. */
const mapping = (names: { amount: string; property: string; list: string; event: string }) => `
import { generic } from "../handlers/generic.ts";
import { rules } from "../rules/types.ts";
import type { Handler } from "../webhook.ts";

type Bought = { type: "bought"; data: { email: string; amount: string; seats: number } };

export default rules(generic as Handler<Bought>, [
  {
    name: "purchase",
    on: "bought",
    contact: { email: (e) => e.data.email },
    update: { ${names.property}: (e) => e.data.seats },
    lists: { ${names.list}: true },
    event: { name: "${names.event}", properties: { seats: (e) => e.data.seats } },
  },
  {
    name: "purchase receipt",
    on: "bought",
    contact: { email: (e) => e.data.email },
    transactional: {
      template: "receipt",
      variables: {
        name: "Ada",
        ${names.amount}: (e) => e.data.amount,
        description: "Seats",
        date: "today",
        reference: "1",
      },
    },
  },
]);
`;
const BOUGHT = { type: "bought", data: { email: "ada@example.com", amount: "$5.00", seats: 3 } };

describe("npm run check -- --live, against the email service", () => {
  let mailspan: Mailspan;
  let clone: Clone;
  let lists: { there: string };
  const post = async (path: string, body: unknown, token: string) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(mailspan.emailUrl + path, request);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };

  beforeAll(async () => {
    [mailspan, clone] = await Promise.all([startMailspan(), cloneBridge()]);
    const { key } = mailspan;
    await post("/v1/contacts/properties", { name: "seatsLeft", type: "number" }, key);
    await post("/v1/contacts/properties", { name: "seatsText", type: "string" }, key);
    const known = { email: "ada@example.com", eventName: "seatsBought", eventProperties: { seats: 1 } };
    await post("/v1/events/send", known, key);
    const list = await post("/admin/teams/demo/lists", { name: "News", visibility: "public" }, secrets.ADMIN_TOKEN);
    lists = { there: list.id };
    const fixtures = join(clone.path, "test", "fixtures", "generic");
    rmSync(fixtures, { recursive: true });
    const toml = readFileSync(join(clone.path, "wrangler.toml"), "utf8");
    const ids = `[vars.LISTS]\nnews = "${lists.there}"\ngone = "lst_gone"\n`;
    writeFileSync(join(clone.path, "wrangler.toml"), toml.replace("[vars.LISTS]", ids));
  });
  afterAll(async () => {
    await Promise.all([mailspan?.stop(), clone?.remove()]);
  });

  const live = async (names: Parameters<typeof mapping>[0]): Promise<Ended> => {
    writeFileSync(join(clone.path, "src", "mappings", "generic.ts"), mapping(names));
    mkdirSync(join(clone.path, "test", "fixtures", "generic"), { recursive: true });
    writeFileSync(join(clone.path, "test", "fixtures", "generic", "bought.json"), JSON.stringify(BOUGHT));
    const env = { EMAIL_API_URL: mailspan.emailUrl, EMAIL_API_KEY: mailspan.key };
    return check(clone.path, ["--live", "--quiet", "--only", "generic", "--update"], env);
  };
  const errors = ({ output }: Ended) => output.split("\n").filter((line) => line.startsWith("✗ rule "));

  test("finds nothing where names and types are those of the host, and says whom it asked", async () => {
    const ended = await live({ amount: "amount", property: "seatsLeft", list: "news", event: "seatsBought" });
    expect(errors(ended)).toEqual([]);
    expect(ended.output).toContain(
      `Compared with ${mailspan.emailUrl} (EMAIL_API_URL of the environment), team "Demo".`,
    );
  });

  test("finds a renamed variable, a property of another type, an unknown list, and an event in another case", async () => {
    const ended = await live({ amount: "total", property: "seatsText", list: "gone", event: "SeatsBought" });
    expect(errors(ended)).toEqual([
      expect.stringMatching(/"purchase receipt" \(generic\): the template "receipt" needs the variable "amount"/),
      expect.stringMatching(/"purchase receipt" \(generic\): the template "receipt" has no variable "total"/),
      expect.stringContaining(
        `the list "gone" is "lst_gone" in LISTS, which the host does not have; it has News (${lists.there})`,
      ),
      expect.stringContaining('"purchase" (generic, fixture bought): the property "seatsText" is a string at the host'),
      expect.stringContaining('"purchase" (generic): the event "SeatsBought" is "seatsBought" at the host'),
    ]);
    expect(ended.code).toBe(1);
  });

  test("a host that cannot be asked is an error", async () => {
    const env = { EMAIL_API_URL: mailspan.emailUrl, EMAIL_API_KEY: "ms_demo_wrong" };
    const { code, output } = await check(clone.path, ["--live", "--quiet", "--only", "generic"], env);
    expect(output).toContain(`✗ ${mailspan.emailUrl} does not take this API key`);
    expect(code).toBe(1);
  });
});
