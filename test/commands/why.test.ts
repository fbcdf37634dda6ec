import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { act } from "../../scripts/act/act.ts";
import { ACT } from "../../scripts/act/usage.ts";
import { parse } from "../../scripts/lib/command.ts";
import { WHY } from "../../scripts/why/usage.ts";
import { why as explain } from "../../scripts/why/why.ts";
import { type Clone, cloneRepository, keepReceiptsOnly, startMailspanOf } from "../system/clone.ts";
import { type Mailspan, type Shown, secrets, until } from "../system/mailspan.ts";
import { type Fault, startService } from "../system/service.ts";
import { genericWebhook, type Signed, stripeWebhook, supabaseHook } from "../system/signed.ts";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

let clone: Clone;
let mailspan: Mailspan;
let service: Awaited<ReturnType<typeof startService>>;
let faults: Fault[] = [];
let invoiceRules = "";

const why = (...args: string[]) => whyWith(secrets.ADMIN_TOKEN, ...args);
const whyWith = async (token: string, ...args: string[]) => {
  const parsed = parse(WHY, ["--url", mailspan.url, ...args]);
  const text = await explain(parsed.args[0] ?? "", parsed.values, { ADMIN_TOKEN: token });
  const verdict = text.split("\n").filter((line) => /^(→| {2}To do:)/.test(line));
  return { text, verdict: verdict.join("\n") };
};

const follow = (verdict: string): Promise<string> => {
  const [, line = ""] = /npm run act -- (.+?)(?=\. |, |\.?$)/m.exec(verdict) ?? [];
  if (line === "") throw new Error(`no command in: ${verdict}`);
  return act(parse(ACT, line.split(" ")), { ...secrets, EMAIL_API_KEY: mailspan.key });
};

const command = async (...args: string[]) => {
  const env = { PATH: process.env.PATH, ADMIN_TOKEN: secrets.ADMIN_TOKEN };
  try {
    const { stdout } = await run(process.execPath, [join(root, "scripts", "why.ts"), ...args], { env });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stderr, stdout } = error as { code: number; stderr: string; stdout: string };
    return { code, text: stderr + stdout };
  }
};

const admin = async (path: string, body?: object): Promise<Record<string, unknown>> => {
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${mailspan.url}/admin${path}`, init);
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
};

const send = async (source: string, { payload, headers }: Signed): Promise<string> => {
  const response = await mailspan.post(source, payload, headers);
  const { id } = (await response.json()) as { id: string };
  if (!response.ok || !id) throw new Error(`${source}: ${response.status}`);
  return id;
};
const sendSettled = async (source: string, signed: Signed) => mailspan.settled(await send(source, signed));

const renewal = (email: string, change: Record<string, unknown> = {}, live = true) =>
  stripeWebhook("invoice.paid", (event) => {
    Object.assign(event.data.object, { customer_email: email, billing_reason: "subscription_cycle", ...change });
    Object.assign(event.data.object, { customer: `cus_${email.split("@")[0]}` });
    event.livemode = live;
  });

beforeAll(async () => {
  clone = await cloneRepository();
  await keepReceiptsOnly(clone);
  await clone.replace("src/mappings/supabase.ts", 'expires: "1h"', 'expires: "1s"');
  invoiceRules = await readFile(join(clone.path, "src/mappings/stripe/invoices.ts"), "utf8");
  service = await startService(() => faults.shift() ?? "none");
  mailspan = await startMailspanOf(clone);
});
afterAll(async () => {
  await mailspan?.stop();
  service?.stop();
  await clone?.remove();
});

describe("npm run why", () => {
  it("says that no webhook names this person", async () => {
    const { verdict } = await why("nobody@example.com");
    expect(verdict).toMatch(/No webhook names nobody@example\.com/);
    expect(verdict).toMatch(/Check at the provider/);
  });

  it("says that no rule matched, and which condition was false", async () => {
    await sendSettled("stripe", renewal("free@example.com", { amount_paid: 0 }));
    const { verdict } = await why("free@example.com");
    const [line = "", cure] = verdict.split("\n");
    expect(line).toMatch(/^→ Latest, stripe invoice\.paid: No rule matched: "/);
    const conditions = [...line.matchAll(/"[^"]+" needs (.+?)(?=; "|$)/g)].map(([, condition]) => condition);
    expect(conditions.length).toBeGreaterThan(1);
    for (const condition of conditions) expect(invoiceRules).toContain(`when: ${condition},`);
    expect(cure).toMatch(
      /^ {2}To do: If it should cause something: change the condition in src\/mappings \(rules of stripe\), npm run check/,
    );
  });

  it("takes the id of a webhook, of a delivery, and of a webhook at its provider", async () => {
    const signed = renewal("ids@example.com", { currency: "eur" });
    const { id, eventId, deliveries } = await sendSettled("stripe", signed);
    const whole = await why(id);
    expect(whole.text).toMatch(new RegExp(`^${id}\n\n→ stripe invoice\\.paid: the mail "receipt": done`));
    expect(whole.text).toMatch(/Received from stripe[\s\S]*Verified[\s\S]*Attempt 1: 200 after/);
    const index = deliveries.findIndex(({ action }) => action === "transactional");
    const one = await why(`${id}.${index}`);
    expect(one.text).toMatch(/^wh_\w+\.\d\n\n→ stripe invoice\.paid: the mail "receipt": done/);
    expect(one.text).toContain(`  .${index} done: `);
    expect((await why(eventId)).verdict).toMatch(/^→ Latest, stripe invoice\.paid: the mail "receipt": done/);
    await expect(why(`${id}.9`)).rejects.toThrow(`The webhook ${id} has no delivery ${id}.9. Its deliveries: ${id}.0`);
    await expect(why("wh_1")).rejects.toThrow("There is no webhook with this id, or it was purged.");
  });

  it("without a webhook, names what the door refused, with the cure", async () => {
    const { payload, headers } = renewal("refused@example.com");
    const refused = await mailspan.post("stripe", `${payload} `, headers);
    expect(refused.status).toBe(401);
    const verdict = await until("the count of the refusal", async () => {
      const found = await why("refused@example.com");
      return found.verdict.includes("the door refused 1 webhook to stripe (invalid_signature)")
        ? found.verdict
        : undefined;
    });
    expect(verdict).toContain("Copy the signing secret of this endpoint from the provider: STRIPE_WEBHOOK_SECRET=…");
  });

  it("says that newer webhooks replaced it", async () => {
    const user = (name: string, timestamp: number) =>
      genericWebhook({
        type: "user.updated",
        timestamp: new Date(timestamp).toISOString(),
        data: { id: "user_super", email: "super@example.com", firstName: name, lastName: name },
      });
    await sendSettled("generic", user("New", Date.now()));
    const { deliveries } = await sendSettled("generic", user("Old", Date.now() - 60_000));
    expect(deliveries.map(({ state }) => state)).toEqual(["replaced"]);
    const { verdict } = await why("super@example.com");
    expect(verdict).toMatch(/the contact update: replaced: Newer webhooks have already/);
    expect((await why("user_super")).verdict).toBe(verdict);
  });

  it("says that a delivery waits for an identity link; without a webhook for the person it names such deliveries", async () => {
    await send(
      "stripe",
      stripeWebhook("customer.subscription.updated", ({ data }) => {
        Object.assign(data.object, { customer: "cus_nobody_knows", cancel_at_period_end: false, cancel_at: null });
      }),
    );
    const byId = await why("cus_nobody_knows");
    expect(byId.verdict).toMatch(
      /waiting for identity: no webhook has given the email address or user id of stripe:cus_nobody_knows yet/,
    );
    const byEmail = await why("someone@example.com");
    expect(byEmail.verdict).toMatch(
      /No webhook names someone@example\.com.*\n.*wait for an identity link \(stripe:cus_nobody_knows\)/,
    );
    await send(
      "stripe",
      stripeWebhook("customer.created", ({ data }) => {
        Object.assign(data.object, { id: "cus_nobody_knows", email: "someone@example.com" });
      }),
    );
    await mailspan.allSettled();
    expect((await why("someone@example.com")).text).toMatch(
      /customer\.subscription\.updated[\s\S]*done: the email service accepted it/,
    );
  });

  it("shows the message of an email service that refused with 400", async () => {
    const webhook = await sendSettled("stripe", renewal("ada@service-without-a-dot"));
    expect(webhook.deliveries).toMatchObject([{ state: "failed", attempts: [{ status: 400 }] }]);
    const message = webhook.deliveries[0]?.message ?? "";
    expect(message.length).toBeGreaterThan(5);
    const { verdict } = await why("ada@service-without-a-dot");
    expect(verdict).toContain(`the mail "receipt": the email service refused it with 400: ${message}`);
    const id = `${webhook.id}.0`;
    const commands = verdict.match(/npm run act -- [\w-]+ wh_[\w.]+/g);
    expect(commands).toEqual([
      `npm run act -- replay ${webhook.id}`,
      `npm run act -- retry ${id}`,
      `npm run act -- discard ${id}`,
    ]);
    expect(await follow(verdict)).toBe("Made 1 delivery (transactional 1).");
    const again = (await mailspan.settled(webhook.id)).deliveries;
    expect(again.map(({ state }) => state)).toEqual(["replaced", "failed"]);
    const second = `${webhook.id}.1`;
    expect(await follow(`npm run act -- discard ${second} --url ${mailspan.url}`)).toBe(
      `${second} is discarded: it is not sent any more.`,
    );
    expect((await why("ada@service-without-a-dot")).verdict).toMatch(/the mail "receipt": Discarded by a person\.$/m);
  });

  it("says that it expired", async () => {
    await admin("/pause", {});
    const id = await send(
      "supabase",
      supabaseHook((hook) => {
        hook.user.email = "late@example.com";
      }),
    );
    const paused = await why("late@example.com");
    expect(paused.verdict).toMatch(/Paused: a person paused all deliveries/);
    expect(paused.text).toMatch(/paused: a person paused all deliveries at 20/);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await follow(paused.verdict)).toBe("All deliveries are resumed. Dispatch: running.");
    await mailspan.settled(id);
    const { verdict, text } = await why("late@example.com");
    expect(verdict).toMatch(/the mail "magic-link": expired: the mail was not sent before its expiry time/);
    expect(text).not.toMatch(/token=|pkce/);
  });

  it("says that it is test data", async () => {
    await sendSettled("stripe", renewal("test@example.com", {}, false));
    const { verdict, text } = await why("test@example.com");
    expect(verdict).toMatch(/the mail "receipt": skipped: Test data: the source does not have testData: "deliver"/);
    expect(text).toMatch(/\(test data\)/);
  });

  it("says that email to the address is suppressed, as the email service answers", async () => {
    const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" };
    await sendSettled(
      "generic",
      genericWebhook({ type: "user.created", data: { id: "user_supp", email: "supp@example.com" } }),
    );
    expect((await why("supp@example.com")).verdict).not.toMatch(/[Ss]uppress/);
    const added = await fetch(`${mailspan.emailUrl}/admin/teams/demo/suppressions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ email: "supp@example.com" }),
    });
    expect(added.status).toBe(200);
    const { verdict } = await why("supp@example.com");
    expect(verdict).toMatch(/^→ Suppressed: supp@example\.com is on the suppression list/);
    expect(await follow(verdict)).toBe(
      "supp@example.com is not suppressed any more. Removals left in these 30 days: 99.",
    );
    expect((await why("supp@example.com")).verdict).not.toMatch(/[Ss]uppress/);
    await expect(follow(verdict)).rejects.toThrow(/The email service answered 400: .*not suppressed/);
  });

  it("says that it was sent, with its id, and with --full every step", async () => {
    const webhook = await sendSettled("stripe", renewal("ada@example.com"));
    const { verdict } = await why("ada@example.com");
    expect(verdict).toMatch(/the mail "receipt": done: the email service accepted it at 20.* \(snd_/);
    const full = await why("ada@example.com", "--full");
    expect(full.text).toMatch(/Received from stripe[\s\S]*Verified[\s\S]*rule .* matched[\s\S]*Attempt 1: 200 after/);
    const { webhooks } = JSON.parse((await why("ada@example.com", "--json")).text) as {
      webhooks: (Shown & { onlyNamed?: true })[];
    };
    expect(webhooks.filter(({ onlyNamed }) => !onlyNamed).map(({ id }) => id)).toEqual([webhook.id]);
    const named = webhooks.filter(({ onlyNamed }) => onlyNamed);
    expect(named.length).toBeGreaterThan(0);
    for (const { id } of named) expect(full.text).toMatch(new RegExp(`${id} {2}\\(only named in the body\\)`));
  });

  it("says that delivery is blocked, then that an earlier attempt had succeeded", async () => {
    await mailspan.restart({ bridgeVars: { ...secrets, EMAIL_API_KEY: "ms_demo_wrong" } });
    await send("stripe", renewal("held@example.com"));
    await until("a refusal", async () => ((await admin("/status")).dispatch === "blocked" ? true : undefined));
    const held = await why("held@example.com");
    expect(held.verdict).toMatch(/the mail "receipt": blocked since 20.*No delivery is lost/);
    expect(held.verdict).toMatch(/Unknown if email to this address is suppressed/);

    // An email service that acts, and then answers with an error.
    faults = ["500 after"];
    await mailspan.restart({ bridgeVars: { ...secrets, EMAIL_API_KEY: "key", EMAIL_API_URL: service.url } });
    await mailspan.allSettled();
    const landed = await why("held@example.com");
    expect(landed.verdict).toMatch(
      /the mail "receipt": done: an earlier attempt had succeeded without an answer\. The email service answered the next attempt at .* with 409/,
    );
    expect(service.acted).toHaveLength(1);
    await mailspan.restart({ bridgeVars: { ...secrets, EMAIL_API_KEY: mailspan.key } });
  });
});

describe("npm run why goes on past the email service", () => {
  const past = (...args: string[]) => why(...args, "--email-url", mailspan.emailUrl, "--team", "demo");

  it("says what became of a mail, of an address and of a send", async () => {
    const { deliveries } = await sendSettled("stripe", renewal("past@example.com"));
    const id = String(deliveries.find(({ action }) => action === "transactional")?.result);
    const text = await until("the mail is in the inbox", async () => {
      const answer = await past("past@example.com");
      return /local inbox/.test(answer.text) ? answer.text : undefined;
    });
    expect(text).toContain(`→ The latest mail, ${id}: In the local inbox only. It was not sent outside this machine.`);
    expect(text).toContain(`     ${id}: In the local inbox only. It was not sent outside this machine.`);
    const one = await past(id);
    expect(one.text).toMatch(/^\d{4}-\S+ \S+ {2}mail {2}"Receipt" to past@example\.com\n {2}snd_/);
    expect(one.text).toMatch(/Accepted as transactional mail: "Receipt"\.\n.*Attempt 1 by inbox: accepted/);
    expect(JSON.parse((await past(id, "--json")).text)).toMatchObject({ id, state: "sent" });
  });

  it("sends a mail again whose result is unknown only while that is possible", async () => {
    const { deliveries } = await sendSettled("stripe", renewal("again@example.com"));
    const id = String(deliveries.find(({ action }) => action === "transactional")?.result);
    const line = parse(ACT, ["retry", id, "--email-url", mailspan.emailUrl]);
    const vars = { ...secrets, EMAIL_API_KEY: mailspan.key };
    await expect(act(line, vars)).rejects.toThrow(/It is not sent again\. /);
  });

  it("says what is missing or wrong", async () => {
    await expect(past("snd_1_none")).rejects.toThrow(/There is no send with the id "snd_1_none" in this team/);
    await expect(why("snd_1_none")).rejects.toThrow(/Where is the email service\? Name it with --email-url/);
    const { text } = await why("past@example.com", "--email-url", "http://127.0.0.1:9", "--team", "demo");
    expect(text).toMatch(
      /The state of mails that the email service accepted is unknown: .*does not answer at http:\/\/127\.0\.0\.1:9/,
    );
  });
});

describe("npm run why without an answer", () => {
  it.each([
    [
      "nothing answers",
      ["ada@example.com", "--url", "http://127.0.0.1:9"],
      /Nothing answers at http:\/\/127\.0\.0\.1:9/,
    ],
    ["no person is given", [], /Missing required argument 'person'/],
    ["the time is wrong", ["ada@example.com", "--since", "yesterday"], /since/],
    ["the limit is wrong", ["ada@example.com", "--limit", "x"], /--limit x/],
  ])("is an error if %s", async (_, args, message) => {
    await expect(why(...args)).rejects.toThrow(message);
  });

  it("is an error if the token is wrong", async () => {
    const message = /refuses the token: it must be the ADMIN_TOKEN/;
    await expect(whyWith("wrong", "ada@example.com")).rejects.toThrow(message);
  });
});

it("the command prints the answer, or a sentence and the exit code 1", async () => {
  const [answer, wrong] = await Promise.all([
    command("nobody@example.com", "--url", mailspan.url),
    command("ada@example.com", "--url", "http://127.0.0.1:9"),
  ]);
  expect(answer).toEqual({ code: 0, text: expect.stringMatching(/^→ No webhook names nobody@example\.com/m) });
  expect(wrong).toEqual({ code: 1, text: expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:9 .*\n$/) });
});
