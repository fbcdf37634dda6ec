import { describe, expect, it } from "vitest";
import { mailSettingsOf } from "../../../../../src/email/delivery/senders/mail-settings.ts";
import type { Env } from "../../../../../src/email/env.ts";

const SMTP_URL = "smtps://user:password@smtp.example.com";
const SES = { SES_REGION: "eu-west-1", SES_ACCESS_KEY_ID: "id", SES_SECRET_ACCESS_KEY: "key" };
const of = (vars: Partial<Env>) => mailSettingsOf(vars as Env);
const ROUTING = ["10 route1.mx.cloudflare.net", "20 route2.mx.cloudflare.net", "30 route3.mx.cloudflare.net"];
const FEEDBACK = ["10 feedback-smtp.eu-west-1.amazonses.com"];
const smtp = { TRANSACTIONAL_SENDER: "smtp", SMTP_URL };

describe("the records of the envelope subdomain", () => {
  it.each<[string, Partial<Env>, ReturnType<typeof mailSettingsOf>["envelope"], readonly string[]]>([
    ["the inbox", { INBOX: "1" }, undefined, []],
    ["no sender", {}, undefined, []],
    ["SMTP alone", smtp, undefined, []],
    [
      "SMTP with SPF_INCLUDE",
      { ...smtp, SPF_INCLUDE: "_spf.relay.example" },
      { mechanisms: ["include:_spf.relay.example"], mx: ROUTING },
      ["transactional"],
    ],
    [
      "SMTP with mechanisms and mail servers of its own",
      { ...smtp, SPF_INCLUDE: "A.example, ip4:192.0.2.1", BOUNCE_MX: "MX.example.com., 20 mx2.example.com,, no host!" },
      { mechanisms: ["include:a.example", "ip4:192.0.2.1"], mx: ["10 mx.example.com", "20 mx2.example.com"] },
      ["transactional"],
    ],
    [
      "Amazon SES for both classes",
      { TRANSACTIONAL_SENDER: "ses", MARKETING_SENDER: "ses", ...SES },
      { mechanisms: ["include:amazonses.com"], mx: FEEDBACK },
      ["transactional", "marketing"],
    ],
    [
      "SMTP and SES, which allows no other MX record",
      { ...smtp, SPF_INCLUDE: "_spf.relay.example", MARKETING_SENDER: "ses", ...SES },
      { mechanisms: ["include:_spf.relay.example", "include:amazonses.com"], mx: FEEDBACK },
      ["transactional", "marketing"],
    ],
    [
      "SMTP without SPF_INCLUDE beside SES",
      { ...smtp, MARKETING_SENDER: "ses", ...SES },
      { mechanisms: ["include:amazonses.com"], mx: FEEDBACK },
      ["marketing"],
    ],
    ["Cloudflare", { TRANSACTIONAL_SENDER: "cloudflare", EMAIL: {} as SendEmail }, undefined, []],
    ["a wrong setting", { TRANSACTIONAL_SENDER: "smtp" }, undefined, []],
  ])("with %s", (_sender, vars, envelope, classes) => {
    expect(of(vars)).toMatchObject({ envelope, envelopeClasses: classes });
  });

  it("come with a note where a setting or another step is missing", () => {
    const notes = (vars: Partial<Env>) =>
      of(vars)
        .notes.map((note) => note.split(/[:,.]/)[0])
        .filter((note) => !/ounces? (and|or) complaint/.test(note ?? ""));
    expect(notes({ INBOX: "1" })).toEqual(["No sender but the local inbox is configured"]);
    expect(notes(smtp)).toEqual(["SPF_INCLUDE is not set"]);
    expect(notes({ ...smtp, SPF_INCLUDE: "_spf.relay.example" })).toEqual([]);
    expect(notes({ TRANSACTIONAL_SENDER: "ses", ...SES })).toEqual(["Verify the domain at Amazon SES too"]);
    const mailgun = { TRANSACTIONAL_SENDER: "mailgun", MAILGUN_REGION: "eu", MAILGUN_API_KEY: "key" };
    expect(notes(mailgun)).toEqual(["Verify the domain at Mailgun too"]);
    expect(notes({ TRANSACTIONAL_SENDER: "cloudflare", EMAIL: {} as SendEmail })).toEqual([
      "Onboard the domain at Cloudflare Email Service too",
    ]);
  });

  it("say why no marketing mail is sent", () => {
    const PUBLIC_URL = "https://mail.example.com";
    const obstacle = (vars: Partial<Env>) => of(vars).marketingObstacle;
    expect(obstacle({})).toBe("no sender is configured");
    expect(obstacle({ INBOX: "1" })).toContain("PUBLIC_URL is not set");
    expect(obstacle({ MARKETING_SENDER: "inbox", PUBLIC_URL })).toContain("INBOX is not 1");
    expect(obstacle({ INBOX: "1", PUBLIC_URL })).toBeUndefined();
  });

  it("leave the inbox out: only its classes need no domain", () => {
    expect(of({ INBOX: "1" }).inboxOnly).toEqual(["transactional", "marketing"]);
    expect(of({ INBOX: "1", ...smtp }).inboxOnly).toEqual(["marketing"]);
    expect(of(smtp).inboxOnly).toEqual([]);
  });
});
