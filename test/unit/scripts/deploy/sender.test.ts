import { describe, expect, test } from "vitest";
import { type Json, world } from "./world.ts";

const SMTP_URL = "smtps://ada:a-long-password@smtp.example.com:465";
const smtp = { TEAM_NAME: "Acme", TRANSACTIONAL_SENDER: "smtp", SMTP_URL };
const send = (state: string, meaning: string): Json => ({
  state,
  meaning,
  story: [{ text: "Accepted as transactional mail." }, { text: "Attempt 1 by smtp: accepted: 250 ok" }],
});

describe("the sender", () => {
  test("is set with its secrets, which are no arguments and are not printed", async () => {
    const w = world(smtp);
    expect(await w.deploy()).toBe(true);
    const { vars, secrets } = w.cloud.get("mailspan-email") ?? {};
    expect(vars).toMatchObject({ TRANSACTIONAL_SENDER: "smtp", MARKETING_SENDER: "smtp" });
    expect(secrets).toMatchObject({ SMTP_URL });
    expect(`${w.argv.join(" ")}${w.output()}`).not.toContain("a-long-password");
    expect(w.output()).not.toContain("no mail leaves: no sender");
  });

  test("is kept by a later run, with the secret of the keys of domains", async () => {
    const w = world(smtp);
    await w.deploy();
    const before = w.cloud.get("mailspan-email")?.secrets.DKIM_KEY_SECRET;
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("Sender: smtp, as before.");
    expect(w.cloud.get("mailspan-email")?.vars.TRANSACTIONAL_SENDER).toBe("smtp");
    expect(w.cloud.get("mailspan-email")?.secrets.DKIM_KEY_SECRET).toBe(before);
  });

  test("ses gets region and keys, cloudflare its binding and no marketing mail", async () => {
    const ses = {
      SES_REGION: "eu-west-1",
      SES_ACCESS_KEY_ID: "AKIA0123456789AB",
      SES_SECRET_ACCESS_KEY: "a-secret-key-of-aws",
    };
    const w = world({ TEAM_NAME: "Acme", TRANSACTIONAL_SENDER: "ses", ...ses });
    expect(await w.deploy()).toBe(true);
    const { SES_REGION, ...keys } = ses;
    expect(w.cloud.get("mailspan-email")).toMatchObject({ vars: { SES_REGION }, secrets: keys });
    expect(w.output()).not.toContain(ses.SES_SECRET_ACCESS_KEY);

    const c = world({ TEAM_NAME: "Acme", TRANSACTIONAL_SENDER: "cloudflare" });
    expect(await c.deploy()).toBe(true);
    expect(c.cloud.get("mailspan-email")?.vars).not.toHaveProperty("MARKETING_SENDER");
    expect(c.deployed.find(({ name }) => name === "mailspan-email")).toMatchObject({ send_email: [{ name: "EMAIL" }] });
  });

  test("of Cloudflare hears its bounces through a queue, which is made before the Worker that is bound to it", async () => {
    const w = world({ TEAM_NAME: "Acme", TRANSACTIONAL_SENDER: "cloudflare" });
    const queue = "mailspan-email-events";
    for (const words of [`Created the queue ${queue}`, `The queue ${queue} exists and is used`]) {
      expect(await w.deploy()).toBe(true);
      expect(w.output()).toContain(words);
    }
    expect(w.output()).toContain(`queues subscription create ${queue} --source email.sending`);
    expect(w.done.indexOf("queues create")).toBeLessThan(w.done.indexOf("deploy mailspan-email"));
    expect(w.deployed.filter(({ name }) => name === "mailspan-email").at(-1)?.queues).toEqual({
      producers: [{ binding: "EMAIL_EVENTS", queue }],
      consumers: [expect.objectContaining({ queue, max_retries: 100 })],
    });
    const other = world(smtp);
    expect(await other.deploy()).toBe(true);
    expect([other.done.includes("queues create"), other.deployed[0]?.queues]).toEqual([false, undefined]);
  });

  test("of Cloudflare without its queue is not deployed", async () => {
    const w = world({ TEAM_NAME: "Acme", TRANSACTIONAL_SENDER: "cloudflare" });
    for (const command of ["queues create", "queues info"]) w.fail.set(command, "Authentication error [code: 10000]");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("The queue mailspan-email-events could not be created:\nAuthentication error");
    expect(w.output()).toContain("Queues: Edit");
    expect(w.done).not.toContain("deploy mailspan-email");
  });

  test.each([
    [{ TRANSACTIONAL_SENDER: "inbox" }, "It must be smtp, ses, mailgun or cloudflare."],
    [{ TRANSACTIONAL_SENDER: "smtp", SMTP_URL: "http://x" }, "SMTP_URL"],
    [{ TRANSACTIONAL_SENDER: "smtp" }, "SMTP_URL is not set"],
    [{ TRANSACTIONAL_SENDER: "ses", SES_REGION: "Ireland" }, "SES_REGION is not a region of AWS"],
  ])("refuses %j before anything is deployed", async (answers, message) => {
    const w = world({ ADMIN_TOKEN: "an-admin-token-of-my-own", ...(answers as Record<string, string>) });
    expect(await w.deploy({ unattended: true })).toBe(false);
    expect(w.output()).toContain(message);
    expect(w.cloud.size).toBe(0);
  });
});

describe("the sending domain", () => {
  test("is added to the team, and its records are printed", async () => {
    const w = world({ ...smtp, SENDING_DOMAIN: "mail.acme.com" });
    expect(await w.deploy()).toBe(true);
    expect(w.requests.map(({ line, body }) => [line, body])).toContainEqual([
      "POST https://mailspan-email.acme.workers.dev/admin/teams/acme/domains",
      { name: "mail.acme.com" },
    ]);
    expect(w.output()).toMatch(/TXT +ms1\._domainkey\.mail\.acme\.com +v=DKIM1; p=AA +missing/);
    expect(w.output()).toContain("No trial mail: it needs a sender and a verified domain.");
  });

  test("is waited for with --wait; then a trial mail is sent and its story is printed", async () => {
    const w = world({ ...smtp, SENDING_DOMAIN: "mail.acme.com", TRIAL_MAIL_TO: "ada@acme.com" });
    w.checks.push("pending", "pending", "verified");
    w.sends.push(
      send("queued", "It waits for its first attempt."),
      send("sent", "Accepted by the mail provider. No bounce so far."),
    );
    expect(await w.deploy({ wait: true })).toBe(true);
    expect(w.checks).toEqual([]);
    expect(w.output()).toContain("mail.acme.com is verified.");
    expect(w.output()).toContain(
      "snd_1_a: Accepted by the mail provider. No bounce so far.\n  Accepted as transactional mail.\n  Attempt 1 by smtp: accepted: 250 ok",
    );
    const lines = w.requests.map(({ line }) => line.replace("https://mailspan-email.acme.workers.dev", ""));
    expect(lines.slice(-5)).toEqual([
      "POST /admin/teams/acme/keys",
      "POST /v1/transactional",
      "DELETE /admin/teams/acme/keys/undefined",
      "GET /admin/teams/acme/sends/snd_1_a",
      "GET /admin/teams/acme/sends/snd_1_a",
    ]);
  });

  test("that never gets its records ends the wait after an hour, with what to do", async () => {
    const w = world({ ...smtp, SENDING_DOMAIN: "mail.acme.com" });
    expect(await w.deploy({ wait: true })).toBe(false);
    expect(w.output()).toContain("mail.acme.com is not verified: the records above are not right after an hour.");
    expect(w.output()).toContain("Everything is deployed.");
    w.checks.push("verified");
    const { ADMIN_TOKEN = "" } = w.cloud.get("mailspan-email")?.secrets ?? {};
    w.answer({ SENDING_DOMAIN: "mail.acme.com", TEAM_SLUG: "acme", ADMIN_TOKEN });
    expect(await w.deploy({ wait: true })).toBe(true);
    expect(w.output()).toContain("mail.acme.com is verified.");
  });

  test.each(["mail.münchen.de", "mail.acme.com.", "Mail.Acme.com", " mail.acme.com"])(
    "is found again by a later run in any spelling: %s",
    async (spelling) => {
      const w = world({ ...smtp, SENDING_DOMAIN: spelling });
      expect(await w.deploy()).toBe(true);
      w.checks.push("verified");
      const { ADMIN_TOKEN = "" } = w.cloud.get("mailspan-email")?.secrets ?? {};
      w.answer({ SENDING_DOMAIN: spelling, TEAM_SLUG: "acme", ADMIN_TOKEN });
      expect(await w.deploy(), w.output()).toBe(true);
      expect(w.output()).toContain("is verified.");
    },
  );

  test("a trial mail that does not leave fails the run, and says why", async () => {
    const w = world({ ...smtp, SENDING_DOMAIN: "mail.acme.com", TRIAL_MAIL_TO: "ada@acme.com" });
    w.checks.push("verified");
    w.sends.push(send("failed", "It failed: 554 5.7.1 spam."));
    expect(await w.deploy({ wait: true })).toBe(false);
    expect(w.output()).toContain("The trial mail to ada@acme.com did not leave. It failed: 554 5.7.1 spam.");
    expect(w.output()).toContain(
      "npm run why -- snd_1_a --email-url https://mailspan-email.acme.workers.dev --team acme",
    );
  });
});
