import { describe, expect, it } from "vitest";
import { cloudflareSender } from "../../../../src/email/delivery/senders/cloudflare/send.ts";
import { mailgunSender } from "../../../../src/email/delivery/senders/mailgun/send.ts";
import { sesSender } from "../../../../src/email/delivery/senders/ses/send.ts";
import { type Account, readAccounts } from "../../../../src/email/delivery/senders/smtp/accounts.ts";
import { LIMITS } from "../../../../src/email/delivery/senders/smtp/limits.ts";
import { createPool } from "../../../../src/email/delivery/senders/smtp/pool.ts";
import type { MessageSender } from "../../../../src/email/types/mail-handover.ts";
import { neverLeft } from "../../../../src/lib/util/never-left.ts";
import { getObject } from "../../../../src/lib/webhook/provider.ts";
import { askForKey } from "../../../../src/outbox/dispatch/send-request.ts";

const LIMIT = "Too many subrequests by single Worker invocation. To configure this limit, refer to the documentation.";

describe("an error of a call", () => {
  it.each([
    LIMIT,
    "Too many subrequests.",
    "Subrequest depth limit exceeded. This request recursed through Workers too many times.",
    "This invocation exceeded its simultaneous connection limit.",
  ])("certainly came before the call left: %s", (text) => {
    expect(neverLeft(new Error(text))).toBe(true);
  });

  it.each([
    "Network connection lost.",
    "The operation was aborted due to timeout",
    "Worker exceeded CPU time limit.",
    "Durable Object exceeded its memory limit and was reset.",
    'SES said: "Too many subrequests"',
    "internal error; reference = 0123",
  ])("may have come after the call arrived: %s", (text) => {
    expect(neverLeft(new Error(text))).toBe(false);
  });
});

const https = (error: Error) => ({
  fetch: () => Promise.reject(error),
  now: () => 0,
  timeout: () => new AbortController().signal,
});
const account = (readAccounts("smtps://u:p@mail.example.com") as { accounts: Account[] }).accounts[0] as Account;

const SENDERS: Record<string, (error: Error) => Pick<MessageSender, "send">> = {
  ses: (error) => sesSender({ region: "eu-west-1", accessKeyId: "a", secretAccessKey: "s" }, https(error)),
  mailgun: (error) => mailgunSender({ region: "us", apiKey: "k" }, "example.com", https(error)),
  cloudflare: (error) =>
    cloudflareSender({ send: () => Promise.reject(error), message: (from, to) => ({ from, to }) as EmailMessage }),
  smtp: (error) =>
    createPool(account, {
      limits: LIMITS,
      timers: { now: () => 0, after: () => () => {} },
      connect: () => {
        throw error;
      },
    }),
};

const message = {
  id: "snd_1",
  raw: Buffer.from("From: ada@example.com\r\n\r\nHello\r\n"),
  envelope: { from: "ada@example.com", to: ["bob@example.net"] },
  smtpUtf8: false,
};

describe("a mail that never left", () => {
  it.each(Object.entries(SENDERS))(
    "is deferred, and says nothing about the mail provider: %s",
    async (_name, sender) => {
      const handover = await sender(new Error(LIMIT)).send(message);
      expect(handover).toEqual({ outcome: "deferred", local: true, message: `The mail was not sent: ${LIMIT}` });
    },
  );

  it("does not mark an SMTP server as down", async () => {
    const down = SENDERS.smtp?.(new Error("Network connection lost.")) as ReturnType<typeof createPool>;
    const refused = SENDERS.smtp?.(new Error(LIMIT)) as ReturnType<typeof createPool>;
    for (const pool of [down, refused]) await pool.send(message);
    expect([down.isDown(), refused.isDown()]).toEqual([true, false]);
  });

  it.each(["ses", "mailgun", "cloudflare"])("is not confused with a lost connection: %s", async (name) => {
    const handover = await SENDERS[name]?.(new Error("Network connection lost.")).send(message);
    expect(handover).toMatchObject({ outcome: "unknown" });
  });
});

describe("a request of the bridge that never left", () => {
  it("is deferred", async () => {
    const network = { ...https(new Error(LIMIT)), env: { EMAIL_API_URL: "https://host.test", EMAIL_API_KEY: "k" } };
    expect(await askForKey(network)).toEqual({ kind: "deferred", message: `The request was not sent: ${LIMIT}` });
  });

  it("to a provider is no failure of the provider", async () => {
    const api = { ...https(new Error(LIMIT)), key: "k", baseUrl: "https://api.example.com" };
    await expect(getObject(api, "/v1/x")).rejects.toThrow(LIMIT);
    await expect(getObject({ ...api, fetch: () => Promise.reject(new Error("x")) }, "/v1/x")).rejects.toThrow(
      "It could not be reached.",
    );
  });
});
