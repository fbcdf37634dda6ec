import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check as checkRules } from "../../scripts/check/check.ts";
import { readConfig } from "../../scripts/check/config.ts";
import { checkLive } from "../../scripts/check/live/live.ts";
import { textOf } from "../../scripts/check/problem.ts";
import { generic } from "../../src/handlers/generic.ts";
import { rules } from "../../src/rules/types.ts";
import type { Handler } from "../../src/webhook.ts";
import { type Clone, cloneRepository } from "../system/clone.ts";
import { type Mailspan, secrets, startMailspan } from "../system/mailspan.ts";

const root = join(import.meta.dirname, "..", "..");
const node = join(root, "node_modules", ".bin", "node");

type Ended = { code: number; output: string };

const check = (path: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const { EMAIL_API_URL: _url, EMAIL_API_KEY: _key, ...rest } = process.env;
    const options = { cwd: path, env: { ...rest, ...env } };
    execFile(node, ["scripts/check.ts", ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });

/** A clone in which tsc checks the bridge alone: the rest takes most of its time. */
const cloneBridge = async () => {
  const clone = await cloneRepository();
  const config = join(clone.path, "scripts", "check", "tsconfig.json");
  writeFileSync(config, readFileSync(config, "utf8").replace("../../src", "../../src/index.ts"));
  return clone;
};

test("npm run check fails on a misspelled payload path, with file, line and rule", async () => {
  const clone = await cloneBridge();
  const mapping = join(clone.path, "src", "mappings", "stripe", "invoices.ts");
  const text = readFileSync(mapping, "utf8");
  const at = text.indexOf("number ?? e.data", text.indexOf('name: "renewal receipt"'));
  expect(at).toBeGreaterThan(0);
  writeFileSync(mapping, `${text.slice(0, at)}numbre.length${text.slice(at + "number".length)}`);
  const line = text.slice(0, at).split("\n").length;
  try {
    const { code, output } = await check(clone.path, ["--quiet"]);
    expect(output).toMatch(
      /^✗ rule "renewal receipt" \(stripe\): throws in \d+ fixtures \(invoice\.paid, .* more\): .*data\.object\.numbre/m,
    );
    expect(output).toContain(`✗ src/mappings/stripe/invoices.ts:${line}: Property 'numbre' does not exist on type`);
    expect(output).toMatch(/^ {4}reference: .*numbre\.length/m);
    expect(output).toMatch(/^✗ \d+ sources, .* errors?, /m);
    expect(code).toBe(1);
  } finally {
    await clone.remove();
  }
});

type Names = { amount: string; property: string; list: string; event: string };
type Bought = { type: "bought"; data: { email: string; amount: string; seats: number } };
const BOUGHT = { type: "bought", data: { email: "ada@example.com", amount: "$5.00", seats: 3 } };

const ruleSet = (names: Names) =>
  rules(generic as Handler<Bought>, [
    {
      name: "purchase",
      on: "bought",
      contact: { email: (e) => e.data.email },
      update: { [names.property]: (e: Bought) => e.data.seats },
      lists: { [names.list]: true },
      event: { name: names.event, properties: { seats: (e) => e.data.seats } },
    },
    {
      name: "purchase receipt",
      on: "bought",
      contact: { email: (e) => e.data.email },
      transactional: {
        template: "receipt",
        variables: {
          [names.amount]: (e: Bought) => e.data.amount,
          name: "Ada",
          description: "Seats",
          date: "today",
          reference: "1",
        },
      },
    },
  ]);

describe("with the email service", () => {
  let mailspan: Mailspan;
  let news: string;
  let folder: string;
  let clone: Clone;
  const post = async (path: string, body: unknown, token: string) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const response = await fetch(mailspan.emailUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };

  beforeAll(async () => {
    clone = await cloneBridge();
    mailspan = await startMailspan();
    const { key } = mailspan;
    await post("/v1/contacts/properties", { name: "seatsLeft", type: "number" }, key);
    await post("/v1/contacts/properties", { name: "seatsText", type: "string" }, key);
    const known = { email: "ada@example.com", eventName: "seatsBought", eventProperties: { seats: 1 } };
    await post("/v1/events/send", known, key);
    const list = { name: "News", visibility: "public" };
    news = (await post("/admin/teams/demo/lists", list, secrets.ADMIN_TOKEN)).id;
    folder = mkdtempSync(join(tmpdir(), "mailspan-check-"));
    mkdirSync(join(folder, "generic"));
    writeFileSync(join(folder, "generic", "bought.json"), JSON.stringify(BOUGHT));
  });
  afterAll(async () => {
    await mailspan?.stop();
    await clone?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test("npm run check -- --live shows every source and delivery, compares with the email service, and takes seconds", async () => {
    const env = { EMAIL_API_URL: mailspan.emailUrl, EMAIL_API_KEY: mailspan.key };
    const { code, output } = await check(clone.path, ["--live"], env);
    expect(output).toMatch(/^stripe: \d+ rules, \d+ fixtures$/m);
    expect(output).toMatch(/^ {4}checkout receipt +mail +receipt → ada@example.com .*amount="\$29.00"/m);
    expect(output).toMatch(/^ {4}.*not matched: \(e\) => /m);
    expect(output).toContain(`Compared with ${mailspan.emailUrl} (EMAIL_API_URL of the environment), team "Demo".`);
    const [, seconds] =
      /^✓ \d+ sources, \d+ rules, \d+ fixtures, \d+ deliveries, no errors, ([\d.]+) s$/m.exec(output) ?? [];
    expect(seconds, output.split("\n✗")[1] ?? "").toBeDefined();
    // A few seconds on two free cores. The limit allows for other work on the machine.
    expect(Number(seconds)).toBeLessThan(60);
    expect(code).toBe(0);
  });

  const errorsOf = async (names: Names): Promise<string[]> => {
    const lists = { news, gone: "lst_gone" };
    const config = { ...readConfig(root), lists };
    const sources = { generic: { rules: ruleSet(names), secret: "S" } };
    const checked = await checkRules(sources, { fixtures: folder, config, update: true });
    expect(checked.flatMap(({ problems }) => problems)).toEqual([]);
    const where = { url: mailspan.emailUrl, key: mailspan.key, from: "the test", local: true };
    const { team, problems } = await checkLive(checked, config, where, true);
    expect(team).toBe("Demo");
    return problems.filter(({ level }) => level === "error").map(textOf);
  };

  test("names and types of the email service are no error", async () => {
    expect(await errorsOf({ amount: "amount", property: "seatsLeft", list: "news", event: "seatsBought" })).toEqual([]);
  });

  test("a renamed variable, a property of another type, an unknown list, and an event with another case are", async () => {
    const wrong = { amount: "total", property: "seatsText", list: "gone", event: "SeatsBought" };
    expect(await errorsOf(wrong)).toEqual([
      expect.stringMatching(/"purchase receipt" \(generic\): the template "receipt" needs the variable "amount"/),
      expect.stringMatching(/"purchase receipt" \(generic\): the template "receipt" has no variable "total"/),
      expect.stringContaining(
        `the list "gone" is "lst_gone" in LISTS, which the email service does not have; it has News (${news})`,
      ),
      expect.stringContaining(
        '"purchase" (generic, fixture bought): the property "seatsText" is a string at the email service',
      ),
      expect.stringContaining('"purchase" (generic): the event "SeatsBought" is "seatsBought" at the email service'),
    ]);
  });
});
