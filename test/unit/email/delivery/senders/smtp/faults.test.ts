import { describe, expect, it } from "vitest";
import type { Answer, Stage } from "../../../../../mail-provider/relay.ts";
import { MESSAGE, messageOf, poolTo } from "./send.ts";

const BIG = messageOf(`Subject: big\r\n\r\n${`${"x".repeat(70)}\r\n`.repeat(10_000)}`);
const outcomeOf = async (stage: Stage, answer: Answer, message = MESSAGE) => {
  const one = poolTo({ at: { [stage]: answer } });
  return { ...one, handover: await one.send(message) };
};

const BEFORE_END: Stage[] = ["greeting", "EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "block"];

describe("a mail provider that drops the connection", () => {
  it.each(BEFORE_END)("at %s gets the mail again later: it was certainly not sent", async (stage) => {
    const { handover, seen, pool } = await outcomeOf(stage, "drop", stage === "block" ? BIG : MESSAGE);
    expect(handover).toMatchObject({ outcome: "deferred" });
    expect(handover).not.toHaveProperty("throttled");
    expect(seen.mails).toEqual([]);
    expect(pool.load()).toBe(0);
  });

  it("after the final dot leaves an unknown outcome", async () => {
    const { handover, seen } = await outcomeOf("end", "drop");
    expect(handover).toEqual({
      outcome: "unknown",
      message: "The mail provider may have accepted the mail: the mail provider closed the connection",
    });
    expect(seen.mails).toHaveLength(1);
  });
});

describe("a mail provider that says nothing more", () => {
  it.each(BEFORE_END)("at %s ends the attempt at a time limit, and gets the mail again later", async (stage) => {
    const { handover, time, pool } = await outcomeOf(stage, "stall", stage === "block" ? BIG : MESSAGE);
    expect(handover).toMatchObject({ outcome: "deferred", message: expect.stringMatching(/within \d+ s$/) });
    expect([pool.load(), time.waiting()]).toEqual([0, 0]);
  });

  it("after the final dot leaves an unknown outcome after three minutes", async () => {
    const { time, pool } = poolTo({ at: { end: "stall" } });
    const sent = pool.send(MESSAGE);
    let done = false;
    sent.then(() => {
      done = true;
    });
    await time.advance(179_000);
    expect(done).toBe(false);
    expect(await time.run(sent)).toMatchObject({
      outcome: "unknown",
      message: expect.stringContaining("within 180 s"),
    });
  });
});

describe("421", () => {
  it.each([...BEFORE_END.filter((stage) => stage !== "block"), "end"] as Stage[])(
    "at %s defers the mail as throttled, and ends the connection",
    async (stage) => {
      const { handover, seen, send } = await outcomeOf(stage, "421 4.7.0 too many connections, try again in 5 minutes");
      expect(handover).toMatchObject({
        outcome: "deferred",
        throttled: "account",
        retryAfter: 300_000,
        replyCode: 421,
      });
      expect(seen.mails).toEqual([]);
      await send();
      expect(seen.connections).toBe(2);
    },
  );
});

const TOO_MUCH =
  "The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered";

describe("a refusal", () => {
  const cases: [Stage, string, object][] = [
    ["RCPT", "450 4.2.1 mailbox busy", { outcome: "deferred", about: "mailbox", replyCode: 450, code: "4.2.1" }],
    ["RCPT", "450 4.7.1 greylisted", { outcome: "deferred" }],
    ["RCPT", "451 4.3.0 try again in 300 seconds", { outcome: "deferred", retryAfter: 300_000 }],
    ["MAIL", "452 4.3.1 out of space", { outcome: "deferred" }],
    ["RCPT", "452 4.2.2 mailbox full", { outcome: "deferred", about: "mailbox" }],
    ["RCPT", "452 4.3.1 insufficient storage", { outcome: "deferred" }],
    ["RCPT", "550 5.1.1 no such user", { outcome: "refused", about: "recipient", replyCode: 550, code: "5.1.1" }],
    ["RCPT", "550 5.1.10 null MX", { outcome: "refused", about: "recipient" }],
    ["RCPT", "550 User unknown", { outcome: "refused", about: "recipient" }],
    ["RCPT", "550 No such user here", { outcome: "refused", about: "recipient" }],
    ["RCPT", "550 5.2.1 account disabled", { outcome: "refused", about: "recipient" }],
    ["RCPT", "552 5.2.2 over quota", { outcome: "refused", about: "mailbox" }],
    ["RCPT", "550 mailbox is full", { outcome: "refused", about: "mailbox" }],
    ["RCPT", `550 5.2.1 ${TOO_MUCH}`, { outcome: "refused", about: "mailbox" }],
    ["RCPT", "550 5.1.1 Client host [192.0.2.1] blocked using Spamhaus", { outcome: "refused", about: "policy" }],
    ["RCPT", "550 <spam@example.net>: no such user", { outcome: "refused", about: "recipient" }],
    ["RCPT", "552 Requested mail action aborted, mailbox not found", { outcome: "refused", about: "recipient" }],
    ["RCPT", "501 bad address syntax", { outcome: "refused", about: "recipient" }],
    ["RCPT", "550 5.7.1 rejected by policy", { outcome: "refused", about: "policy" }],
    ["RCPT", "550 blocked by our reputation list", { outcome: "refused", about: "policy" }],
    ["RCPT", "550 rejected", { outcome: "refused", about: "policy" }],
    ["RCPT", "554 5.7.1 relay access denied", { outcome: "deferred", configuration: true }],
    ["RCPT", "551 user not local", { outcome: "refused", about: "recipient" }],
    ["RCPT", "553 5.1.3 bad address", { outcome: "refused", about: "recipient" }],
    ["RCPT", "556 domain does not accept mail", { outcome: "refused", about: "recipient" }],
    ["RCPT", "530 5.7.0 authentication required", { outcome: "deferred", configuration: true }],
    ["MAIL", "550 5.1.0 address rejected", { outcome: "refused", about: "sender" }],
    ["RCPT", "550 5.1.0 address rejected", { outcome: "refused", about: "recipient" }],
    ["MAIL", "550 5.1.8 sender domain not found", { outcome: "refused", about: "sender" }],
    ["MAIL", "553 5.7.1 sender address rejected", { outcome: "refused", about: "sender" }],
    ["MAIL", "552 5.3.4 too large", { outcome: "refused", about: "content" }],
    ["MAIL", "530 5.7.0 must issue STARTTLS", { outcome: "deferred", configuration: true }],
    ["MAIL", "503 5.5.1 nested MAIL", { outcome: "deferred" }],
    ["DATA", "554 5.5.1 no valid recipients", { outcome: "refused", about: "content" }],
    ["DATA", "451 4.3.0 later", { outcome: "deferred" }],
    ["end", "552 5.3.4 too large", { outcome: "refused", about: "content" }],
    ["end", "554 5.6.0 bad MIME", { outcome: "refused", about: "content" }],
    ["end", "554 transaction failed", { outcome: "refused", about: "content" }],
    ["end", "554 5.7.1 spam", { outcome: "refused", about: "policy" }],
    ["end", "550 5.1.1 no such user", { outcome: "refused", about: "recipient" }],
    ["end", "451 4.7.1 rate limit exceeded", { outcome: "deferred", throttled: "domain" }],
    ["greeting", "554 5.7.1 no service for you", { outcome: "deferred", configuration: true }],
    ["EHLO", "550 go away", { outcome: "deferred", configuration: true }],
    ["STARTTLS", "454 4.7.0 TLS not available", { outcome: "deferred", configuration: true }],
    ["AUTH", "535 5.7.8 bad credentials", { outcome: "deferred", configuration: true }],
    ["AUTH", "454 4.7.0 temporary authentication failure", { outcome: "deferred" }],
  ];

  it.each(cases)("at %s with %s", async (stage, reply, expected) => {
    const { handover, seen } = await outcomeOf(stage, reply as Answer);
    expect(handover).toMatchObject({ ...expected, message: expect.stringContaining(reply) });
    for (const field of ["throttled", "configuration", "retryAfter", "about"] as const) {
      expect([field, field in handover]).toEqual([field, field in expected]);
    }
    expect(seen.mails).toEqual([]);
  });

  it("of the login shows no password, even when the mail provider repeats it", async () => {
    const { handover } = await outcomeOf("AUTH", `535 5.7.8 secret and ${btoa("secret")} are wrong`);
    expect(JSON.stringify(handover)).not.toMatch(/secret|c2VjcmV0/);
  });
});

describe("TLS", () => {
  it("is required: a mail provider without STARTTLS gets no login and no mail", async () => {
    const { send, seen } = poolTo({ noStartTls: true });
    expect(await send()).toEqual({
      outcome: "deferred",
      down: true,
      configuration: true,
      message: "relay.test:587 does not offer STARTTLS. Nothing was sent in clear text.",
    });
    expect(seen.lines.map(({ text }) => text)).toEqual(["EHLO example.com", "QUIT"]);
  });

  it.each([
    ["in the same packet", "220 ready\r\n250-relay.test\r\n250 AUTH PLAIN\r\n235 welcome\r\n"],
    ["unfinished", "220 ready\r\n250-rel"],
  ])("replies that somebody has put before it have no effect: %s", async (_how, answer) => {
    const { handover, seen } = await outcomeOf("STARTTLS", answer as Answer);
    expect(handover).toMatchObject({ outcome: "deferred", configuration: true });
    expect(seen.lines.filter(({ text }) => !/^(EHLO|STARTTLS|QUIT)/.test(text))).toEqual([]);
  });

  it("replies before it in a packet of their own have no effect either", async () => {
    const { handover, seen } = await outcomeOf("STARTTLS", async (peer) => {
      await peer.send("220 ready\r\n");
      await peer.send("250-relay.test\r\n250 AUTH PLAIN\r\n");
      await peer.secure();
    });
    expect(handover).toMatchObject({ outcome: "deferred", configuration: true });
    expect(seen.lines.filter(({ text }) => !/^(EHLO|STARTTLS|QUIT)/.test(text))).toEqual([]);
  });

  it("from the start sends nothing in clear text", async () => {
    const { send, seen } = poolTo({}, { url: "smtps://user:secret@relay.test:465" });
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect(seen.lines.every(({ tls }) => tls)).toBe(true);
  });

  it("a mail provider that offers no login that we know gets no mail", async () => {
    const { send, seen } = poolTo({ keywords: ["AUTH XOAUTH2 CRAM-MD5"] });
    expect(await send()).toMatchObject({ outcome: "deferred", configuration: true });
    expect(seen.lines.map(({ text }) => text)).not.toContainEqual(expect.stringMatching(/^(AUTH|MAIL)/));
  });
});

describe("a reply that is none", () => {
  it.each([
    ["a banner of 10 MB in one line", "greeting", `220 ${"x".repeat(10_000_000)}\r\n`],
    [
      "an endless line",
      "greeting",
      async (peer) => {
        for (let n = 0; n < 1_000; n++) await peer.send("x".repeat(10_000));
      },
    ],
    ["a banner of 10 MB in many lines", "greeting", "220-welcome\r\n".repeat(800_000)],
    ["an endless reply to EHLO", "EHLO", "250-KEYWORD\r\n".repeat(10_000)],
    ["another protocol", "greeting", "HTTP/1.1 400 Bad Request\r\n\r\n" as "1"],
    ["codes that differ within a reply", "EHLO", "250-relay.test\r\n550 no\r\n"],
    ["a code that does not exist", "MAIL", "999 what\r\n"],
    ["250 instead of 354", "DATA", "250 ok"],
    ["354 instead of 250", "MAIL", "354 go on"],
    ["250 for the message before it was sent", "DATA", "354 go on\r\n250 2.0.0 queued\r\n"],
  ] as [string, Stage, Answer][])(
    "%s ends the connection, and the mail is sent later",
    async (_what, stage, answer) => {
      const { handover, seen } = await outcomeOf(stage, answer);
      expect(handover).toMatchObject({ outcome: "deferred" });
      expect(handover.outcome === "deferred" && handover.message.length).toBeLessThan(800);
      expect(seen.mails).toEqual([]);
    },
  );

  it("after the final dot leaves an unknown outcome", async () => {
    for (const answer of ["354 go on", "2xx ok\r\n" as "2", `250-${"x".repeat(5_000)}\r\n`] as const) {
      expect((await outcomeOf("end", answer)).handover).toMatchObject({ outcome: "unknown" });
    }
  });

  it("is one even with bare line feeds, with many lines and without a text", async () => {
    const { handover } = await outcomeOf("end", "250-2.0.0 thank you\n250-2.0.0 for\n250 2.0.0 the mail\n");
    expect(handover).toEqual({ outcome: "accepted", reply: "250 2.0.0 thank you for the mail" });
    expect((await outcomeOf("end", "250")).handover).toEqual({ outcome: "accepted", reply: "250" });
  });
});

it("a connection whose state the mail provider sees in another way is not used again", async () => {
  const { send, seen } = await outcomeOf("MAIL", "503 5.5.1 nested MAIL");
  await send();
  expect([seen.connections, seen.lines.filter(({ text }) => text === "RSET").length]).toEqual([2, 0]);
});

describe("a mail provider that refuses a mail in the middle of it", () => {
  it("is heard", async () => {
    const { handover } = await outcomeOf(
      "block",
      async (peer) => {
        await peer.send("552 5.3.4 too large\r\n");
        peer.drop();
      },
      BIG,
    );
    expect(handover).toMatchObject({ outcome: "refused", about: "content", replyCode: 552 });
  });
});

describe("pipelined replies", () => {
  it("354 after a refused recipient: no final dot is sent", async () => {
    const { handover, seen } = await outcomeOf("RCPT", async (peer) => {
      await peer.send("550 5.1.1 unknown\r\n354 go on\r\n");
      for (let bytes = await peer.read(); bytes; bytes = await peer.read())
        expect(Buffer.from(bytes).toString()).not.toContain(".\r\n");
    });
    expect(handover).toMatchObject({ outcome: "refused", about: "recipient" });
    expect(seen.mails).toEqual([]);
  });
});
