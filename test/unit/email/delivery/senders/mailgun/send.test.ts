import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MailgunSettings, mailgunSender } from "../../../../../../src/email/delivery/senders/mailgun/send.ts";
import { readChoice, whyNoMailLeaves } from "../../../../../../src/email/delivery/senders/settings.ts";
import type { Env } from "../../../../../../src/email/env.ts";
import { readMailgun } from "../../../../../../src/email/mail/bounces/providers/mailgun.ts";
import type { Message } from "../../../../../../src/email/types/mail-handover.ts";
import { type Answer, startMailgun } from "./stand-in.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const KEY = "key-0123456789abcdef";
const MESSAGE: Message = {
  id: "snd_1",
  raw: Buffer.from("Subject: x\r\n\r\nGrüße \u{1f600}\r\n"),
  envelope: { from: "b@example.com", to: ["ada@example.net", '"a,b"@example.net'] },
  smtpUtf8: false,
  token: "acme_1_abcdefghijkl",
};

let mailgun: Awaited<ReturnType<typeof startMailgun>>;
beforeAll(async () => {
  mailgun = await startMailgun(KEY);
});
afterAll(() => mailgun.stop());
beforeEach(() => {
  mailgun.received.length = 0;
});

const sendTo = async (answer: Answer, message = MESSAGE, settings: Partial<MailgunSettings> = {}) => {
  mailgun.answerWith(answer);
  const https = { fetch: mailgun.fetch, now: () => NOW, timeout: () => AbortSignal.timeout(1_000) };
  const sender = mailgunSender({ region: "us", apiKey: KEY, ...settings }, "mail.example.com", https);
  return { handover: await sender.send(message), received: mailgun.received };
};

describe("a mail through Mailgun", () => {
  it("goes out as one request, raw and with its recipients", async () => {
    const { handover, received } = await sendTo({});
    expect(handover).toEqual({ outcome: "accepted", reply: "<1@mail.example.com>" });
    expect(received).toHaveLength(1);
    const { url, form } = received[0] as (typeof received)[0];
    expect(url).toBe("https://api.mailgun.net/v3/mail.example.com/messages.mime");
    expect([...form.keys()]).toEqual(["to", "to", "message", "o:tracking", "v:send"]);
    expect(form.getAll("to")).toEqual(MESSAGE.envelope.to);
    expect(form.get("o:tracking")).toBe("no");
    expect(await (form.get("message") as File).text()).toBe("Subject: x\r\n\r\nGrüße \u{1f600}\r\n");
  });

  it("goes to the host of its region", async () => {
    const { received } = await sendTo({}, MESSAGE, { region: "eu" });
    expect(received[0]?.url).toBe("https://api.eu.mailgun.net/v3/mail.example.com/messages.mime");
  });

  it("arrives byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100_000 }), async (raw) => {
        mailgun.received.length = 0;
        const { handover, received } = await sendTo({}, { ...MESSAGE, raw });
        expect(handover).toMatchObject({ outcome: "accepted" });
        const file = received[0]?.form.get("message") as File;
        expect(Buffer.from(await file.arrayBuffer()).equals(raw)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("is named in the webhook by the variable that Mailgun repeats", async () => {
    const { received } = await sendTo({});
    const send = received[0]?.form.get("v:send");
    const event = { event: "failed", severity: "permanent", recipient: "ada@example.net", "user-variables": { send } };
    expect(readMailgun({ "event-data": event })[0]?.token).toBe("acme_1_abcdefghijkl");
  });
});

describe("an answer of Mailgun", () => {
  const configuration = { outcome: "deferred", configuration: true };
  const content = { outcome: "refused", about: "content" };
  it.each([
    [400, "to parameter is not a valid address. please check documentation", content],
    [400, "Domain mail.example.com is not allowed to send: please add your own domain", configuration],
    [400, "Sandbox subdomains are for test purposes only.", configuration],
    [402, "Payment required", configuration],
    [403, "Domain mail.example.com is unverified and requires DNS configuration.", configuration],
    [404, "Domain not found: mail.example.com", configuration],
    [405, "Method not allowed", configuration],
    [413, "Message is too large", content],
    [429, "Too many requests", { outcome: "deferred", throttled: "account" }],
    [408, "Request timeout", { outcome: "unknown" }],
    [500, "Internal error", { outcome: "unknown" }],
    [503, "Service unavailable", { outcome: "unknown" }],
  ])("%i %s", async (status, message, expected) => {
    const { handover, received } = await sendTo({ status, body: { message } });
    expect(handover).toEqual({ ...expected, message: expect.stringContaining(message) });
    expect(received).toHaveLength(1);
  });

  it.each([
    ["7", 7_000],
    ["Sun, 22 Nov 2026 10:01:00 GMT", 60_000],
  ])("429 asks to wait: Retry-After %s", async (header, retryAfter) => {
    const { handover } = await sendTo({ status: 429, headers: { "Retry-After": header }, body: "slow down" });
    expect(handover).toMatchObject({ outcome: "deferred", throttled: "account", retryAfter });
  });

  it("401 keeps the mail waiting, and shows no key", async () => {
    const { handover } = await sendTo({}, MESSAGE, { apiKey: "another-key" });
    expect(handover).toEqual({ ...configuration, message: "Mailgun answered 401: Forbidden" });
  });

  it.each<[string, Answer]>([
    ["a lost connection", { fault: "drop" }],
    ["a timeout", { fault: "hang" }],
    ["an answer that is no JSON", { body: "<html>" }],
    ["an answer without an id", { body: { message: "Queued." } }],
    ["a page of a proxy", { status: 502, body: "<html>bad gateway" }],
    ["a refusal of a proxy", { status: 403, body: "<html>blocked" }],
    ["a redirect", { status: 302, headers: { Location: "https://example.com" }, body: "" }],
  ])("%s leaves an unknown outcome after one request", async (_what, answer) => {
    const { handover, received } = await sendTo(answer);
    expect(handover).toMatchObject({ outcome: "unknown" });
    expect(received).toHaveLength(1);
  });
});

describe("the settings of Mailgun", () => {
  const vars = (changes: object) =>
    ({ TRANSACTIONAL_SENDER: "mailgun", MAILGUN_REGION: "eu", MAILGUN_API_KEY: "geheim", ...changes }) as Env;

  it("are region and key", () => {
    const choice = readChoice(vars({}), "transactional");
    expect(choice).toMatchObject({ settings: { region: "eu", apiKey: "geheim" } });
    expect(whyNoMailLeaves(vars({}))).toEqual([]);
  });

  it.each([
    [
      { MAILGUN_REGION: "", MAILGUN_API_KEY: "" },
      "TRANSACTIONAL_SENDER is mailgun, and these are not set: MAILGUN_REGION, MAILGUN_API_KEY",
    ],
    [{ MAILGUN_API_KEY: " " }, "TRANSACTIONAL_SENDER is mailgun, and MAILGUN_API_KEY is not set"],
    [{ MAILGUN_REGION: "asia" }, "MAILGUN_REGION is not a region of Mailgun: use us or eu"],
    [{ MAILGUN_API_KEY: "gehe im" }, "MAILGUN_API_KEY has a space or is not ASCII"],
  ])("are checked: %j", (changes, problem) => {
    expect(readChoice(vars(changes), "transactional")).toEqual({ problem });
  });
});
