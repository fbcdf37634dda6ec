import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mimeOf } from "../../src/email/mail/mime/mime-message.ts";
import type { Mail } from "../../src/email/types/mail-handover.ts";
import { isValidDkim } from "../dkim.ts";
import { startResolver } from "../dns/stand-in.ts";
import { addVerifiedDomain } from "../dns/verified.ts";
import { startMailer } from "../mail-provider/mailer.ts";
import { secrets, startMailspan, until } from "../system/mailspan.ts";
import { PYTHON } from "./debian.ts";
import { startPostfix } from "./postfix.ts";

// Mail to a real Postfix, over real sockets of workerd. Python's email package reads the result.

let postfix: Awaited<ReturnType<typeof startPostfix>>;
let mailer: Awaited<ReturnType<typeof startMailer>>;
beforeAll(async () => {
  postfix = await startPostfix();
  mailer = await startMailer();
});
afterAll(async () => {
  await mailer?.stop();
  postfix?.stop();
});

const MAIL: Mail = {
  class: "transactional",
  id: "snd_1",
  team: "acme",
  messageId: "<usual@example.com>",
  date: 1_790_000_000_000,
  from: { name: "Zoë, of \u201cAcme\u201d", address: "sam@example.com" },
  to: [{ name: "Ada", address: "ada@postfix.test" }],
  cc: [],
  bcc: [],
  replyTo: [{ address: "help@example.com" }],
  subject: "Ihre Quittung über 49 € \u{1f600} – vielen Dank für Ihren Einkauf in unserem Geschäft",
  html: `<p>.</p>\r\n<p>Grüße ${"x".repeat(3_000)}</p>`,
  text: "Grüße\r\n.\r\n..\r\n.x\r\nFrom here\r\n",
  attachments: [
    { filename: "Rechnung für März.pdf", contentType: "application/pdf", content: Buffer.alloc(70_000, 7) },
  ],
};

const messageOf = (changes: Partial<Mail> = {}) => {
  const composed = mimeOf({ ...MAIL, ...changes } as Mail);
  if ("unsendable" in composed) throw new Error(composed.unsendable.message);
  return composed.message;
};

const send = async (
  url: string,
  changes: Partial<Mail> = {},
  more: { copies?: number; maxConnections?: number } = {},
) => {
  const { bytes, envelope } = messageOf(changes);
  const { handovers } = await mailer.send({ url, raw: Buffer.from(bytes).toString("base64"), envelope, ...more });
  return handovers;
};

const arrived = (text: string, name?: string) =>
  until(`the mail ${text}`, async () => postfix.mails(name).find(({ raw }) => raw.includes(text)), 20_000);

type Parsed = {
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: { filename: string; type: string; bytes: number }[];
  defects: string[];
};
const parse = (path: string) =>
  JSON.parse(execFileSync(PYTHON, [join(import.meta.dirname, "parse.py"), path], { encoding: "utf8" })) as Parsed;

const withoutTrace = (raw: Buffer) => raw.subarray(raw.indexOf("Message-ID: ")).toString("latin1");

describe("a mail to Postfix", () => {
  it.each([
    ["without TLS, on loopback", (p: typeof postfix.ports) => `smtp://127.0.0.1:${p.plain}?tls=off`],
    ["after STARTTLS", (p: typeof postfix.ports) => `smtp://127.0.0.1:${p.starttls}`],
    ["over TLS", (p: typeof postfix.ports) => `smtps://127.0.0.1:${p.tls}`],
  ])("arrives as it was meant: %s", async (how, urlOf) => {
    const messageId = `<${how.replaceAll(/\W/g, "-")}@example.com>`;
    const changes = { messageId };
    expect(await send(urlOf(postfix.ports), changes)).toMatchObject([
      { outcome: "accepted", reply: expect.stringMatching(/^250 2\.0\.0 Ok: queued as \w+$/) },
    ]);
    const { path, raw } = await arrived(messageId);
    expect(withoutTrace(raw)).toBe(Buffer.from(messageOf(changes).bytes).toString("latin1").replaceAll("\r\n", "\n"));
    const { headers, text, html, attachments, defects } = parse(path);
    expect(defects).toEqual([]);
    expect(headers).toMatchObject({
      subject: MAIL.subject,
      "message-id": messageId,
      to: "Ada <ada@postfix.test>",
      "reply-to": "help@example.com",
      "return-path": "<sam@example.com>",
      "delivered-to": "ada@postfix.test",
    });
    expect(headers.from).toContain("Zoë, of \u201cAcme\u201d");
    expect(text.replaceAll("\r\n", "\n")).toBe(MAIL.text.replaceAll("\r\n", "\n"));
    expect(html.replaceAll("\r\n", "\n").trimEnd()).toBe(MAIL.html.replaceAll("\r\n", "\n"));
    expect(attachments).toEqual([{ filename: "Rechnung für März.pdf", type: "application/pdf", bytes: 70_000 }]);
    const tls = /using TLSv1/.test(headers.received ?? "");
    expect(tls).toBe(how !== "without TLS, on loopback");
  });

  it("goes to its copies; Bcc is in no header", async () => {
    const messageId = "<copies@example.com>";
    const bcc = [{ address: "bob@postfix.test" }];
    expect(await send(`smtps://127.0.0.1:${postfix.ports.tls}`, { messageId, bcc })).toMatchObject([
      { outcome: "accepted" },
    ]);
    await arrived(messageId);
    const { raw } = await arrived(messageId, "bob");
    expect(withoutTrace(raw).includes("bob")).toBe(false);
  });

  it("to an unknown recipient is refused, and a refused copy is reported", async () => {
    const url = `smtps://127.0.0.1:${postfix.ports.tls}`;
    const nobody = [{ address: "nobody@postfix.test" }];
    expect(await send(url, { to: nobody })).toMatchObject([
      { outcome: "refused", about: "recipient", replyCode: 550, code: "5.1.1" },
    ]);
    expect(await send(url, { cc: nobody })).toMatchObject([
      { outcome: "accepted", refusedCopies: [{ to: "nobody@postfix.test", replyCode: 550, code: "5.1.1" }] },
    ]);
    const [withMailProvider] = await send(url, { to: [{ address: "ada@example.net" }] });
    expect(withMailProvider).toMatchObject({ outcome: "deferred", configuration: true, replyCode: 554, code: "5.7.1" });
  });

  it("that is too large is refused before it is sent", async () => {
    const attachments = [{ ...(MAIL.attachments[0] as Mail["attachments"][0]), content: Buffer.alloc(2_000_000, 7) }];
    const [handover] = await send(`smtps://127.0.0.1:${postfix.ports.tls}`, { attachments });
    expect(handover).toMatchObject({
      outcome: "refused",
      about: "content",
      message: expect.stringContaining("2000000"),
    });
  });

  it("to an address that is not ASCII arrives by SMTPUTF8", async () => {
    const messageId = "<utf8@example.com>";
    const to = [{ address: "jürgen@postfix.test" }];
    expect(await send(`smtps://127.0.0.1:${postfix.ports.tls}`, { messageId, to })).toMatchObject([
      { outcome: "accepted" },
    ]);
    const { path } = await arrived(messageId);
    expect(parse(path).headers.to).toBe("jürgen@postfix.test");
  });

  it("is one of 300 over three connections, and each arrives once", async () => {
    const before = postfix.mails("bob").length;
    const changes = { to: [{ address: "bob@postfix.test" }], attachments: [] };
    const url = `smtp://127.0.0.1:${postfix.ports.starttls}`;
    const handovers = await send(url, changes, { copies: 300, maxConnections: 3 });
    expect(new Set(handovers.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
    await until("300 mails", async () => (postfix.mails("bob").length >= before + 300 ? true : undefined), 60_000);
    expect(postfix.mails("bob")).toHaveLength(before + 300);
  });
});

it("a transactional mail of the service arrives in Postfix, and /health says that mail leaves", async () => {
  const dns = await startResolver();
  const emailVars = {
    TRANSACTIONAL_SENDER: "smtp",
    DKIM_KEY_SECRET: "test-dkim-secret",
    DNS_OVER_HTTPS_URL: dns.url,
    SMTP_URL: `smtp://127.0.0.1:${postfix.ports.starttls}`,
  };
  const mailspan = await startMailspan({}, emailVars);
  try {
    const team = { emailUrl: mailspan.emailUrl, token: secrets.ADMIN_TOKEN, team: "demo", name: "example.com" };
    const { records } = await addVerifiedDomain(team, dns);
    const dataVariables = { name: "Grüße an Ada" };
    await mailspan.client.sendTransactionalEmail({
      transactionalId: "tpl_welcome",
      email: "ada@postfix.test",
      dataVariables,
    });
    const { path } = await arrived("Message-ID: <snd_");
    const { headers, text, defects } = parse(path);
    expect(defects).toEqual([]);
    const [, message = ""] =
      /^(DKIM-Signature:[\s\S]*)/m.exec(readFileSync(path, "latin1").replace(/\r?\n/g, "\r\n")) ?? [];
    expect(isValidDkim(message, records[0]?.value.split("p=")[1] ?? "")).toBe(true);
    expect(headers["message-id"]).toMatch(/^<snd_.*@example\.com>$/);
    expect(text).toContain("Grüße an Ada");
    const health = (await (await fetch(`${mailspan.emailUrl}/health`)).json()) as { reasons: string[] };
    expect(health.reasons.filter((reason) => reason.includes("mail leaves"))).toEqual([]);
  } finally {
    await mailspan.stop();
    await dns.stop();
  }
});
