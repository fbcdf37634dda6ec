import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../../src/email/env.ts";
import worker from "../../../../../../src/email/index.ts";
import { bounceAddress, tokenOf } from "../../../../../../src/email/mail/bounces/return-path-token.ts";
import { receiveMail } from "../../../../../../src/email/mail-in.ts";
import type { Feedback } from "../../../../../../src/email/types/feedback.ts";
import { admin, advance, bindings, createTeam, handedOver, isolated, START, type Team } from "../../../bench.ts";
import { accept, addMarketingMessage, sendTo } from "../../../marketing.ts";

isolated();

const DAY = 86_400_000;
const ADDRESS = "ada@example.com";

let team: Team;
let logged: ReturnType<typeof vi.spyOn>;
beforeEach(async () => {
  logged = vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
});

type Send = { n: number; state: string; error: string | null; settled_at: number; due: number | null };
const sent = async (email = ADDRESS): Promise<number> => {
  await team.post("/transactional", { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } });
  await handedOver();
  return Number((await team.rows("SELECT max(n) AS n FROM sends"))[0]?.n);
};
const send = async (n: number) =>
  (await team.rows(`SELECT n, state, error, settled_at, due FROM sends WHERE n = ${n}`))[0] as unknown as Send;
const story = async (n: number) =>
  (
    await team.rows(
      `SELECT value->>'kind' AS kind, value->'detail' AS detail FROM sends s, json_each(s.history) WHERE s.n = ${n} ORDER BY value->>'at', 1`,
    )
  ).map(({ kind, detail }) => ({ kind, ...JSON.parse(String(detail)) }));
const suppressed = async () => team.rows("SELECT email_key, reason FROM suppressions");
const tell = async (n: number, ...feedback: Feedback[]) => (await team.stub.feedback("mail", [{ n, feedback }])) === 1;

const delivered: Feedback = { kind: "delivered", message: "250 Ok" };
const soft: Feedback = { kind: "soft", code: "4.2.2", message: "mailbox full" };
const hard: Feedback = { kind: "hard", code: "5.1.1", replyCode: 550, message: "550 5.1.1 User unknown" };
const complaint: Feedback = { kind: "complaint", message: "Reported as abuse" };

describe("feedback about a mail", () => {
  it("of its delivery is its state and a line of its story", async () => {
    const n = await sent();
    const { settled_at } = await send(n);
    advance(1_000);
    expect(await tell(n, delivered)).toBe(true);
    expect(await send(n)).toMatchObject({ state: "delivered", error: null, settled_at });
    expect(await story(n)).toEqual([{ kind: "delivered", via: "mail", message: "250 Ok" }]);
  });

  it("of a hard bounce shows code and words, and suppresses the address", async () => {
    const n = await sent();
    await tell(n, hard);
    expect(await send(n)).toMatchObject({ state: "bounced", error: "550 5.1.1 User unknown" });
    expect(await story(n)).toEqual([
      { kind: "bounced", type: "hard", via: "mail", code: "5.1.1", replyCode: 550, message: "550 5.1.1 User unknown" },
    ]);
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "bounce" }]);
    expect(await send(await sent())).toMatchObject({ state: "not_sent", error: "suppressed" });
  });

  it("of a complaint suppresses the address and unsubscribes the contact", async () => {
    await team.post("/contacts/create", { email: ADDRESS });
    const n = await sent();
    await tell(n, complaint);
    expect(await send(n)).toMatchObject({ state: "complained" });
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "complaint" }]);
    expect(await team.find({ email: ADDRESS })).toMatchObject({ subscribed: false });
  });

  it("of a complaint unsubscribes the contact of a marketing mail, also when its address has changed", async () => {
    await team.post("/contacts/create", { email: ADDRESS, userId: "u1" });
    await accept(team, await addMarketingMessage(team, "<Paragraph>Hi</Paragraph>"), ADDRESS);
    await sendTo(team, ADDRESS);
    await team.put("/contacts/update", { userId: "u1", email: "ada@new.example" });
    await team.post("/contacts/create", { email: ADDRESS });
    const [{ n } = { n: 0 }] = (await team.rows("SELECT max(n) AS n FROM sends")) as { n: number }[];
    await tell(n, complaint);
    expect(await team.find({ userId: "u1" })).toMatchObject({ email: "ada@new.example", subscribed: false });
    expect(await team.find({ email: ADDRESS })).toMatchObject({ subscribed: true });
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "complaint" }]);
  });

  it("of a complaint after the contact was deleted unsubscribes who has the address now", async () => {
    await team.post("/contacts/create", { email: ADDRESS });
    await accept(team, await addMarketingMessage(team, "<Paragraph>Hi</Paragraph>"), ADDRESS);
    await sendTo(team, ADDRESS);
    await team.post("/contacts/delete", { email: ADDRESS });
    await team.post("/contacts/create", { email: ADDRESS });
    const [{ n } = { n: 0 }] = (await team.rows("SELECT max(n) AS n FROM sends")) as { n: number }[];
    await tell(n, complaint);
    expect(await team.find({ email: ADDRESS })).toMatchObject({ subscribed: false });
  });

  it("of an automatic answer is only a line of its story, in any number", async () => {
    for (let day = 0; day < 6; day++) {
      const n = await sent();
      await tell(n, delivered, { kind: "answer", message: "Bounce Transient General" });
      expect(await send(n)).toMatchObject({ state: "delivered", error: null });
      expect(await story(n)).toContainEqual({ kind: "answered", via: "mail", message: "Bounce Transient General" });
      advance(DAY);
    }
    expect(await suppressed()).toEqual([]);
    expect(await team.rows("SELECT * FROM soft_bounces")).toEqual([]);
  });

  it.each([
    { code: "4.4.1", message: "connect to mx.example.net: Connection timed out" },
    { code: "4.2.0", message: "450 4.2.0 Greylisted, see http://postgrey.example" },
    { code: "5.5.3", message: "552 5.5.3 Too many recipients" },
    { message: "550 Something went wrong" },
  ])("of a soft bounce that is not the mailbox's counts against nobody: $message", async (said) => {
    for (let day = 0; day < 8; day++) {
      const n = await sent();
      await tell(n, { kind: "soft", ...said });
      expect(await send(n)).toMatchObject({ state: "failed" });
      advance(DAY);
    }
    expect(await suppressed()).toEqual([]);
    expect(await team.rows("SELECT * FROM soft_bounces")).toEqual([]);
  });

  it.each(["content", "policy"] as const)("of a refused mail never suppresses: %s", async (kind) => {
    for (let day = 0; day < 8; day++) {
      const n = await sent();
      await tell(n, { kind, message: "554 no" });
      expect(await send(n)).toMatchObject({ state: "failed", error: "554 no" });
      expect(await story(n)).toEqual([{ kind: "bounced", type: kind, via: "mail", message: "554 no" }]);
      advance(DAY);
    }
    expect(await suppressed()).toEqual([]);
    expect(await team.rows("SELECT * FROM soft_bounces")).toEqual([]);
  });

  it("of a delay is only a line of its story", async () => {
    const n = await sent();
    await tell(n, { kind: "delayed", message: "connection timed out" });
    expect(await send(n)).toMatchObject({ state: "sent" });
    expect(await story(n)).toEqual([{ kind: "delayed", via: "mail", message: "connection timed out" }]);
  });

  it("twice changes nothing, also after the suppression was removed", async () => {
    await team.post("/contacts/create", { email: ADDRESS });
    const n = await sent();
    await tell(n, hard, complaint);
    await team.run("DELETE FROM suppressions");
    const before = await team.everything();
    advance(1_000);
    expect(await tell(n, hard, complaint)).toBe(true);
    expect(await team.everything()).toBe(before);
  });

  it("only moves its state up, in any order", async () => {
    const n = await sent();
    const states: string[] = [];
    for (const one of [delivered, soft, { ...delivered, message: "again" }, complaint, hard]) {
      await tell(n, one);
      states.push((await send(n)).state);
    }
    expect(states).toEqual(["delivered", "failed", "failed", "complained", "complained"]);
  });

  it("settles a mail whose result is still unknown: the mail provider has it", async () => {
    const n = await sent();
    await team.run("UPDATE sends SET state = 'unknown', due = ?, variables = '{}', settled_at = NULL", START + DAY);
    await tell(n, delivered);
    expect(await send(n)).toMatchObject({ state: "delivered", due: null, settled_at: Date.now() });
    expect(await team.rows("SELECT variables FROM sends")).toEqual([{ variables: null }]);
  });

  it("about a mail that never left, is not there, or whose person was erased does nothing", async () => {
    const n = await sent();
    expect(await tell(n + 1, hard)).toBe(false);
    expect(await bindings.WORKSPACE.getByName("nobody").feedback("mail", [{ n, feedback: [hard] }])).toBe(0);
    await admin("POST", "/admin/teams/acme/erase", { emails: [ADDRESS] });
    const before = await team.everything();
    expect(await tell(n, hard, complaint)).toBe(false);
    expect(await team.everything()).toBe(before);
    await team.run("UPDATE sends SET recipient = ?, state = 'not_sent', attempts = 0", ADDRESS);
    expect(await tell(n, hard)).toBe(false);
  });

  it("has at most 50 lines in a story", async () => {
    const n = await sent();
    for (let line = 0; line < 60; line++) await tell(n, { kind: "delayed", message: `try ${line}` });
    expect(await story(n)).toHaveLength(50);
  });
});

describe("soft bounces", () => {
  const bounce = async (days = 1) => {
    const n = await sent();
    await tell(n, soft);
    advance(days * DAY);
    return n;
  };

  it("suppress after five in a row over three days", async () => {
    for (let mail = 0; mail < 4; mail++) await bounce();
    expect(await suppressed()).toEqual([]);
    await bounce();
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "bounce" }]);
    expect(await team.rows("SELECT * FROM soft_bounces")).toEqual([]);
  });

  it("within three days never suppress, however many", async () => {
    for (let mail = 0; mail < 12; mail++) await bounce(0.2);
    expect(await suppressed()).toEqual([]);
  });

  it("begin again after a delivery", async () => {
    for (let mail = 0; mail < 4; mail++) await bounce();
    await tell(await sent(), delivered);
    for (let mail = 0; mail < 4; mail++) await bounce();
    expect(await suppressed()).toEqual([]);
  });

  it("begin again after a mail of which no bounce came, because many mail providers report only failures", async () => {
    for (let mail = 0; mail < 4; mail++) await bounce();
    await sent();
    advance(6 * DAY);
    await bounce();
    expect(await suppressed()).toEqual([]);
    expect(await team.rows("SELECT count FROM soft_bounces")).toEqual([{ count: 1 }]);
  });

  it("count once for each mail", async () => {
    const n = await bounce();
    await tell(n, { ...soft, message: "another report" });
    expect(await team.rows("SELECT count FROM soft_bounces")).toEqual([{ count: 1 }]);
  });

  it("are erased with the person", async () => {
    await bounce();
    await admin("POST", "/admin/teams/acme/erase", { emails: [ADDRESS] });
    expect(await team.everything()).not.toContain(ADDRESS);
  });
});

describe("a copy", () => {
  const withCopy = async () => {
    const n = await sent();
    await team.run(
      `UPDATE message_revisions SET compiled = json_set(compiled, '$.cc', json('["archive@example.com"]'))
       WHERE n = (SELECT revision FROM sends WHERE n = ?)`,
      n,
    );
    return n;
  };

  it("that a mail provider's webhook calls bounced leaves the mail as it is; its address is suppressed if the message names it", async () => {
    const n = await withCopy();
    const feedback = ["Archive@example.com", "victim@example.com"].map((recipient) => ({ ...hard, recipient }));
    await team.stub.feedback("ses", [{ n, feedback }]);
    expect(await send(n)).toMatchObject({ state: "sent" });
    expect(await story(n)).toMatchObject([
      { kind: "copy_bounced", to: "Archive@example.com", type: "hard" },
      { kind: "copy_bounced" },
    ]);
    expect(await suppressed()).toEqual([{ email_key: "archive@example.com", reason: "bounce" }]);
  });

  it("that a mail reports is not suppressed: every recipient knows the return path", async () => {
    const n = await withCopy();
    await tell(n, { ...hard, recipient: "archive@example.com" }, { ...complaint, recipient: "archive@example.com" });
    expect(await story(n)).toMatchObject([{ kind: "copy_bounced" }, { kind: "copy_complained" }]);
    expect(await suppressed()).toEqual([]);
  });

  it("cannot be meant where the message has none: a forwarder's address stands for the recipient", async () => {
    const n = await sent();
    await tell(n, { ...hard, recipient: "ada@elsewhere.example" });
    expect(await send(n)).toMatchObject({ state: "bounced" });
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "bounce" }]);
  });
});

describe("a mail to the Worker", () => {
  const env = bindings as unknown as Env;
  const dsn = (recipient: string) =>
    [
      "From: MAILER-DAEMON@mx.example.org",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      "",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.org",
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
      "",
      "--b--",
      "",
    ].join("\r\n");
  const arrives = async (to: string, mail: string, on = env) => {
    const rejected: string[] = [];
    const raw = new Response(mail).body as ReadableStream<Uint8Array>;
    await receiveMail({ to, raw, setReject: (reason) => void rejected.push(reason) }, on);
    return rejected;
  };
  const pathOf = async (n: number, secret = bindings.API_KEY_SECRET) =>
    bounceAddress(await tokenOf({ team: "acme", n }, secret), "envelope.example.com");
  const reasons = () => logged.mock.calls.map(([line]: unknown[]) => String(line)).join("\n");

  it("that is a bounce finds its send by the return path, in any letter case", async () => {
    const n = await sent();
    expect(await arrives((await pathOf(n)).toUpperCase(), dsn(ADDRESS))).toEqual([]);
    expect(await send(n)).toMatchObject({ state: "bounced" });
    expect(reasons()).toContain("bounce_received");
    expect(reasons()).not.toContain(ADDRESS);
  });

  it("comes by the entry of the Worker", async () => {
    const n = await sent();
    const rejected: string[] = [];
    const arrived = async (to: string, mail: string) => {
      const raw = new Response(mail).body;
      const message = { to, raw, setReject: (reason: string) => void rejected.push(reason) };
      await worker.email(message as unknown as ForwardableEmailMessage, env);
    };
    await arrived(await pathOf(n), dsn(ADDRESS));
    expect(await send(n)).toMatchObject({ state: "bounced" });
    await arrived("hello@envelope.example.com", "From: ada@example.com\r\n\r\nhello");
    expect(rejected).toEqual(["This address takes bounces only."]);
  });

  it("with a forged return path is taken, counted, and changes nothing", async () => {
    const n = await sent();
    const before = await team.everything();
    for (const to of [await pathOf(n, "another secret"), (await pathOf(n)).replace("acme", "beta")])
      expect(await arrives(to, dsn(ADDRESS))).toEqual([]);
    expect(await arrives(await pathOf(n), dsn(ADDRESS), { ...env, API_KEY_SECRET: "" })).toEqual([]);
    expect(await team.everything()).toBe(before);
    expect(reasons().match(/its return path is not one of ours/g)).toHaveLength(3);
  });

  it("with a return path of a former secret still counts while that secret is named", async () => {
    const n = await sent();
    const rotated = { ...env, API_KEY_SECRET: "new", FORMER_API_KEY_SECRETS: `older ${bindings.API_KEY_SECRET}` };
    await arrives(await pathOf(n), dsn(ADDRESS), rotated);
    expect(await send(n)).toMatchObject({ state: "bounced" });
  });

  it("that is a complaint to another address finds its send by the returned mail", async () => {
    const n = await sent();
    const mail = [
      'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      "",
      "--b",
      "Content-Type: message/feedback-report",
      "",
      "Feedback-Type: abuse",
      "",
      "--b",
      "Content-Type: message/rfc822",
      "",
      `Return-Path: <${await pathOf(n)}>`,
      "Subject: x",
      "",
      "--b--",
    ].join("\r\n");
    expect(await arrives("fbl@example.com", mail)).toEqual([]);
    expect(await send(n)).toMatchObject({ state: "complained" });
  });

  it("of a person is refused at another address and changes nothing at a return path", async () => {
    const n = await sent();
    const before = await team.everything();
    const mail = "From: ada@example.com\r\nSubject: Re: hello\r\n\r\n550 5.1.1 user unknown";
    expect(await arrives("hello@envelope.example.com", mail)).toEqual(["This address takes bounces only."]);
    expect(await arrives(await pathOf(n), mail)).toEqual([]);
    expect(await team.everything()).toBe(before);
  });

  it("of 25 MB is read in its first part only", async () => {
    const n = await sent();
    const large = dsn(ADDRESS).replace(
      "--b--",
      `--b\r\nContent-Type: message/rfc822\r\n\r\n${"x".repeat(25_000_000)}\r\n--b--`,
    );
    await arrives(await pathOf(n), large);
    expect(await send(n)).toMatchObject({ state: "bounced" });
  });
});
