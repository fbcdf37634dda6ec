import { describe, expect, it } from "vitest";
import { mailSettingsOf } from "../../../../../src/email/delivery/senders/mail-settings.ts";
import { senders } from "../../../../../src/email/delivery/senders/sender-list.ts";
import { readChoice, readMailers, whyNoMailLeaves } from "../../../../../src/email/delivery/senders/settings.ts";
import type { Env } from "../../../../../src/email/env.ts";
import { healthOf } from "../../../../../src/email/http/health.ts";
import type { MailClass } from "../../../../../src/email/types/mail-handover.ts";
import { readPlan } from "../../../../../src/lib/plan.ts";

const envOf = (vars: Partial<Env>) => vars as Env;
const SMTP_URL = "smtps://user:geheim@smtp.example.com";
const SES = { SES_REGION: "eu-west-1", SES_ACCESS_KEY_ID: "AKID", SES_SECRET_ACCESS_KEY: "geheim" };
const EMAIL = {} as SendEmail;

const chosen = (vars: Partial<Env>, mailClass: MailClass) => {
  const choice = readChoice(envOf(vars), mailClass);
  return choice && "sender" in choice ? { name: choice.sender.name, settings: choice.settings } : choice;
};

describe("the sender of a class", () => {
  it("is the inbox where it is on, else none", () => {
    for (const mailClass of ["transactional", "marketing"] as const) {
      expect(chosen({ INBOX: "1" }, mailClass)).toMatchObject({ name: "inbox" });
      const blank = { INBOX: "1", TRANSACTIONAL_SENDER: "", MARKETING_SENDER: " " };
      expect(chosen(blank, mailClass)).toMatchObject({ name: "inbox" });
      expect(chosen({}, mailClass)).toBeUndefined();
    }
  });

  it("is chosen by its own variable", () => {
    const env = { INBOX: "1", TRANSACTIONAL_SENDER: "smtp", SMTP_URL, MARKETING_SENDER: "ses", ...SES };
    expect(chosen(env, "transactional")).toMatchObject({
      name: "smtp",
      settings: { accounts: [{ host: "smtp.example.com" }] },
    });
    const settings = { region: "eu-west-1", accessKeyId: "AKID", secretAccessKey: "geheim" };
    expect(chosen(env, "marketing")).toEqual({ name: "ses", settings });
    expect(chosen({ TRANSACTIONAL_SENDER: "cloudflare", EMAIL }, "transactional")).toEqual({
      name: "cloudflare",
      settings: EMAIL,
    });
    expect(chosen({ INBOX: "1", MARKETING_SENDER: "inbox" }, "marketing")).toMatchObject({ name: "inbox" });
    const withSet = { TRANSACTIONAL_SENDER: "ses", ...SES, SES_CONFIGURATION_SET: "set" };
    expect(chosen(withSet, "transactional")).toMatchObject({ settings: { configurationSet: "set" } });
  });

  it("has only the SMTP accounts of its class", () => {
    const accounts = [{ url: SMTP_URL, classes: ["marketing"] }, "smtps://smtp.example.net"];
    const env = { TRANSACTIONAL_SENDER: "smtp", MARKETING_SENDER: "smtp", SMTP_URL: JSON.stringify(accounts) };
    const hosts = (mailClass: MailClass) =>
      (chosen(env, mailClass) as { settings: { accounts: { host: string }[] } }).settings.accounts.map(
        ({ host }) => host,
      );
    expect(hosts("transactional")).toEqual(["smtp.example.net"]);
    expect(hosts("marketing")).toEqual(["smtp.example.com", "smtp.example.net"]);
  });
});

describe("why no mail leaves", () => {
  it.each<[string, Partial<Env>, string[]]>([
    ["no sender", {}, ["no mail leaves: no sender is configured"]],
    ["the inbox", { INBOX: "1" }, ["no mail leaves: the local inbox (INBOX=1) is the only sender"]],
    [
      "the inbox, and a mail provider for marketing mail",
      { INBOX: "1", MARKETING_SENDER: "smtp", SMTP_URL, PUBLIC_URL: "https://mail.example.com" },
      ["no transactional mail leaves: its sender is the local inbox (INBOX=1)"],
    ],
    ["a relay", { TRANSACTIONAL_SENDER: "smtp", SMTP_URL }, []],
    ["a mail provider beside the inbox", { INBOX: "1", TRANSACTIONAL_SENDER: "ses", ...SES }, []],
    [
      "an unknown word",
      { TRANSACTIONAL_SENDER: "smpt" },
      ["no mail leaves: TRANSACTIONAL_SENDER has an unknown value: use inbox, smtp, ses, mailgun or cloudflare"],
    ],
    [
      "the inbox that is off",
      { TRANSACTIONAL_SENDER: "inbox" },
      ["no mail leaves: TRANSACTIONAL_SENDER is inbox, and INBOX is not 1: set INBOX=1, or another sender"],
    ],
    [
      "smtp without SMTP_URL",
      { TRANSACTIONAL_SENDER: "smtp" },
      [
        "no mail leaves: TRANSACTIONAL_SENDER is smtp, and SMTP_URL is not set: set it to smtps://user:password@host:465",
      ],
    ],
    [
      "a wrong SMTP_URL",
      { TRANSACTIONAL_SENDER: "smtp", SMTP_URL: "smtp://user:geheim@smtp.example.com:465" },
      ["no mail leaves: SMTP_URL has port 465, which expects TLS at once: write smtps://"],
    ],
    [
      "no account for the class",
      { TRANSACTIONAL_SENDER: "smtp", SMTP_URL: JSON.stringify([{ url: SMTP_URL, classes: ["marketing"] }]) },
      ["no mail leaves: TRANSACTIONAL_SENDER is smtp, and no account of SMTP_URL has the class transactional"],
    ],
    [
      "ses without its keys",
      { TRANSACTIONAL_SENDER: "ses", SES_REGION: "eu-west-1" },
      ["no mail leaves: TRANSACTIONAL_SENDER is ses, and these are not set: SES_ACCESS_KEY_ID, SES_SECRET_ACCESS_KEY"],
    ],
    [
      "ses with a region that is none",
      { TRANSACTIONAL_SENDER: "ses", ...SES, SES_REGION: "evil.example.com/" },
      ["no mail leaves: SES_REGION is not a region of AWS, such as eu-west-1"],
    ],
    [
      "cloudflare without its binding",
      { TRANSACTIONAL_SENDER: "cloudflare" },
      [
        'no mail leaves: TRANSACTIONAL_SENDER is cloudflare, and there is no binding EMAIL: add [[send_email]] with name = "EMAIL" to wrangler.toml',
      ],
    ],
    [
      "cloudflare for marketing",
      { TRANSACTIONAL_SENDER: "smtp", SMTP_URL, MARKETING_SENDER: "cloudflare", EMAIL },
      [
        "no marketing mail leaves: MARKETING_SENDER is cloudflare, which accepts transactional mail only: use smtp, ses or mailgun",
      ],
    ],
    [
      "marketing mail without the address of its links",
      { TRANSACTIONAL_SENDER: "smtp", MARKETING_SENDER: "smtp", SMTP_URL },
      ["no marketing mail leaves: PUBLIC_URL is not set, so that it would have no way to unsubscribe"],
    ],
    [
      "marketing mail with the address of its links",
      { TRANSACTIONAL_SENDER: "smtp", MARKETING_SENDER: "smtp", SMTP_URL, PUBLIC_URL: "https://mail.example.com" },
      [],
    ],
  ])("%s", (_what, vars, reasons) => {
    expect(whyNoMailLeaves(envOf(vars))).toEqual(reasons);
    expect(reasons.join()).not.toContain("geheim");
  });
});

describe("how bounces and complaints come back", () => {
  const heard = (vars: Partial<Env>) =>
    healthOf(envOf(vars)).reasons.filter((reason) => reason.startsWith("no bounce"));

  it.each<[string, Partial<Env>, string | undefined]>([
    ["cloudflare", { EMAIL }, "there is no queue EMAIL_EVENTS: run npm run deploy again, which makes it"],
    ["cloudflare", { EMAIL, EMAIL_EVENTS: {} as Queue }, undefined],
    ["ses", SES, "SES_CONFIGURATION_SET is not set"],
    ["ses", { ...SES, SES_CONFIGURATION_SET: "mailspan" }, "SES_TOPIC_ARN is not set"],
    ["ses", { ...SES, SES_CONFIGURATION_SET: "mailspan", SES_TOPIC_ARN: "arn:aws:sns:eu-west-1:1:t" }, undefined],
    ["mailgun", { MAILGUN_REGION: "eu", MAILGUN_API_KEY: "k" }, "MAILGUN_WEBHOOK_SIGNING_KEY is not set"],
    ["mailgun", { MAILGUN_REGION: "eu", MAILGUN_API_KEY: "k", MAILGUN_WEBHOOK_SIGNING_KEY: "w" }, undefined],
    ["smtp", { SMTP_URL }, "SPF_INCLUDE is not set, and no webhook of a mail provider either"],
    ["smtp", { SMTP_URL, POSTMARK_WEBHOOK_SECRET: "ada:secret" }, undefined],
    ["smtp", { SMTP_URL, SPF_INCLUDE: "_spf.example.net" }, undefined],
  ])("of %s with %j", (sender, vars, why) => {
    const found = heard({ TRANSACTIONAL_SENDER: sender, ...vars });
    if (why === undefined) return expect(found).toEqual([]);
    expect(found).toEqual([expect.stringContaining(` is heard: ${why}`)]);
    expect(found.join()).not.toMatch(/secret|geheim/);
    const { notes } = mailSettingsOf(envOf({ TRANSACTIONAL_SENDER: sender, ...vars }));
    expect(notes.join("\n")).toMatch(/Bounces and complaints of .* come by .*\nNo bounce or complaint of /s);
  });

  it("is said by each sender but the local inbox, and once for both classes", () => {
    for (const { local, feedback, unheard } of senders)
      expect([feedback !== undefined, unheard !== undefined]).toEqual([!local, !local]);
    expect(heard({ TRANSACTIONAL_SENDER: "ses", MARKETING_SENDER: "ses", ...SES })).toHaveLength(1);
    expect(heard({ INBOX: "1" })).toEqual([]);
    expect(heard({ TRANSACTIONAL_SENDER: "ses" })).toEqual([]);
  });
});

describe("the Cloudflare plan", () => {
  it("is paid by default, and free for another value, as health says", () => {
    expect(readPlan({})).toEqual(readPlan({ PLAN: " paid " }));
    expect(readPlan({ PLAN: "free" }).capacity.marketing).toBeLessThan(readPlan({}).capacity.marketing);
    expect(readPlan({ PLAN: "free" }).dayRows).toBe(100_000);
    expect(readPlan({}).dayRows).toBe(Number.POSITIVE_INFINITY);
    expect(readPlan({ DAY_ROWS: " 5000 " })).toEqual({ ...readPlan({}), dayRows: 5_000 });
    for (const DAY_ROWS of ["0", "-1", "1.5", "many"])
      expect(readPlan({ PLAN: "free", DAY_ROWS })).toEqual({
        ...readPlan({ PLAN: "free" }),
        problem: "DAY_ROWS must be a whole number of rows above 0: it is not used",
      });
    const { problem, ...budget } = readPlan({ PLAN: "pro" });
    expect(budget).toEqual(readPlan({ PLAN: "free" }));
    expect(healthOf(envOf({ PLAN: "pro" })).reasons).toContain(problem);
  });
});

describe("the number of Mailers", () => {
  it("is two for transactional mail and four for marketing mail unless MAILERS has others", () => {
    expect(readMailers(envOf({}))).toEqual({ transactional: 2, marketing: 4 });
    expect(readMailers(envOf({ MAILERS: " " }))).toEqual({ transactional: 2, marketing: 4 });
    expect(readMailers(envOf({ MAILERS: "1,8" }))).toEqual({ transactional: 1, marketing: 8 });
    expect(readMailers(envOf({ MAILERS: " 16 , 1 " }))).toEqual({ transactional: 16, marketing: 1 });
  });

  it("is the default for any other value, and health says so", () => {
    for (const MAILERS of ["4", "0,4", "2,17", "2,4,6", "two,four", "-1,4", "1.5,4"]) {
      const read = readMailers(envOf({ MAILERS }));
      expect(read).toMatchObject({ transactional: 2, marketing: 4 });
      expect(read.problem).toBe("MAILERS must be two numbers from 1 to 16, such as 2,4: 2,4 is used");
      expect(healthOf(envOf({ MAILERS })).reasons).toContain(read.problem);
    }
    expect(healthOf(envOf({ MAILERS: "1,1" })).reasons.join()).not.toContain("MAILERS");
  });
});
