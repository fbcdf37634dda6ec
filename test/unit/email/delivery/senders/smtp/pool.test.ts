import { describe, expect, it } from "vitest";
import { MESSAGE, messageOf, poolTo } from "./send.ts";

const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

describe("a mail over SMTP", () => {
  it("goes out after STARTTLS and login, with MAIL, RCPT and DATA at once", async () => {
    const { send, seen } = poolTo({});
    expect(await send()).toEqual({ outcome: "accepted", reply: "250 2.0.0 queued as 4F3A" });
    expect(seen.lines).toEqual([
      { text: "EHLO example.com", tls: false },
      { text: "STARTTLS", tls: false },
      { text: "EHLO example.com", tls: true },
      { text: `AUTH PLAIN ${btoa("\0user\0secret")}`, tls: true },
      { text: `MAIL FROM:<bounce@example.com> SIZE=${MESSAGE.raw.length}`, tls: true },
      { text: "RCPT TO:<ada@example.net>", tls: true },
      { text: "DATA", tls: true },
    ]);
    expect(seen.mails).toEqual([
      { from: "bounce@example.com", to: ["ada@example.net"], data: Buffer.from(MESSAGE.raw) },
    ]);
  });
});

describe("EHLO", () => {
  const hellos = async (from: string) => {
    const { send, seen } = poolTo({});
    const handover = await send(messageOf("Subject: x\r\n\r\ny\r\n", { envelope: { from, to: ["ada@example.net"] } }));
    return { handover, lines: texts(seen.lines).filter((text) => !text.startsWith("AUTH")) };
  };

  it.each([
    ["bounce+acme_1_x@envelope.mail.acme.example", "envelope.mail.acme.example"],
    ["hello@acme.example", "acme.example"],
    ['"a@b"@acme.example', "acme.example"],
  ])("of a connection for mail from %s names %s, a domain of the team", async (from, domain) => {
    const { lines } = await hellos(from);
    expect(lines.slice(0, 3)).toEqual([`EHLO ${domain}`, "STARTTLS", `EHLO ${domain}`]);
  });

  it("names the domain of the mail that opened the connection, also for later mails", async () => {
    const { send, seen } = poolTo({});
    for (const from of ["a@one.example", "a@two.example"])
      expect(await send({ ...MESSAGE, envelope: { from, to: ["ada@example.net"] } })).toMatchObject({
        outcome: "accepted",
      });
    expect(texts(seen.lines).filter((text) => text.startsWith("EHLO"))).toEqual([
      "EHLO one.example",
      "EHLO one.example",
    ]);
  });

  it("has no line break of a hostile return path, and the mail is refused", async () => {
    const { handover, lines } = await hellos("a@acme.example\r\nQUIT\r\nNOOP");
    expect(handover).toMatchObject({ outcome: "refused", about: "content" });
    expect(lines).toEqual(["EHLO acme.exampleQUITNOOP", "STARTTLS", "EHLO acme.exampleQUITNOOP"]);
  });
});

describe("extensions", () => {
  it("without PIPELINING every command waits for the reply to the one before", async () => {
    const { send, seen } = poolTo({ keywords: ["SIZE", "8BITMIME"] });
    expect(await send()).toMatchObject({ outcome: "accepted" });
    // SIZE without a number has no limit.
    expect(texts(seen.lines).slice(4)).toEqual(["MAIL FROM:<bounce@example.com>", "RCPT TO:<ada@example.net>", "DATA"]);
  });

  it("a mail over the mail provider's SIZE is refused before MAIL, and the connection goes on", async () => {
    const { send, seen } = poolTo({ keywords: ["SIZE 100"] });
    const handover = await send(messageOf("x".repeat(101)));
    const message = "The mail has 101 bytes. The mail provider accepts 100.";
    expect(handover).toEqual({ outcome: "refused", about: "content", message });
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect([seen.connections, seen.mails.length]).toEqual([1, 1]);
    expect(texts(seen.lines).filter((text) => text.startsWith("MAIL"))).toHaveLength(1);
  });

  it("8-bit text is declared, and refused where the mail provider does not offer 8BITMIME", async () => {
    const text = messageOf("Subject: x\r\n\r\nGrüße\r\n");
    const able = poolTo({});
    await able.send(text);
    expect(texts(able.seen.lines)).toContainEqual(expect.stringMatching(/^MAIL .* BODY=8BITMIME$/));
    expect(able.seen.mails[0]?.data.toString()).toBe("Subject: x\r\n\r\nGrüße\r\n");
    const unable = poolTo({ keywords: ["PIPELINING"] });
    expect(await unable.send(text)).toMatchObject({ outcome: "refused", about: "content" });
    expect(unable.seen.mails).toEqual([]);
  });

  it.each([
    ["the message says so", messageOf("Subject: ü\r\n\r\n", { smtpUtf8: true })],
    [
      "an address is not ASCII",
      messageOf("Subject: x\r\n\r\n", { envelope: { from: "b@example.com", to: ["jürgen@example.net"] } }),
    ],
  ])("SMTPUTF8 is declared when %s, and the mail refused where it is not offered", async (when, message) => {
    const able = poolTo({});
    expect(await able.send(message)).toMatchObject({ outcome: "accepted" });
    expect(texts(able.seen.lines)).toContainEqual(expect.stringMatching(/^MAIL .* SMTPUTF8$/));
    const unable = poolTo({ keywords: ["8BITMIME", "PIPELINING"] });
    const handover = await unable.send(message);
    expect(handover).toMatchObject({
      outcome: "refused",
      about: "content",
      message: expect.stringContaining("SMTPUTF8"),
    });
    expect("local" in handover).toBe(when === "an address is not ASCII");
    expect(texts(unable.seen.lines)).not.toContainEqual(expect.stringMatching(/^MAIL/));
  });

  it("AUTH LOGIN is used where PLAIN is not offered", async () => {
    const { send, seen } = poolTo({ keywords: ["AUTH LOGIN CRAM-MD5"] });
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect(texts(seen.lines).slice(3, 6)).toEqual(["AUTH LOGIN", btoa("user"), btoa("secret")]);
  });

  it("a mail provider without login gets no AUTH", async () => {
    const { send, seen } = poolTo({}, { url: "smtp://relay.test:587" });
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect(texts(seen.lines)).not.toContainEqual(expect.stringMatching(/^AUTH/));
  });
});

describe("connections", () => {
  it("take one mail after the other without RSET, and close when unused", async () => {
    const { send, seen, time } = poolTo({});
    for (let n = 0; n < 3; n++) expect(await send()).toMatchObject({ outcome: "accepted" });
    expect([seen.connections, seen.mails.length]).toEqual([1, 3]);
    await time.advance(15_000);
    expect(texts(seen.lines).at(-1)).toBe("QUIT");
    expect(texts(seen.lines)).not.toContain("RSET");
    expect(time.waiting()).toBe(0);
    await send();
    expect(seen.connections).toBe(2);
  });

  it("close after maxMails mails", async () => {
    const { send, seen } = poolTo({}, { changes: { maxMails: 2 } });
    for (let n = 0; n < 5; n++) await send();
    expect([seen.connections, seen.mails.length]).toEqual([3, 5]);
  });

  it("are at most maxConnections: other mails wait", async () => {
    const { pool, time, seen } = poolTo({ at: { end: "stall" } }, { changes: { maxConnections: 2 } });
    const sent = Array.from({ length: 5 }, () => pool.send(MESSAGE));
    await time.advance(1_000);
    expect([seen.connections, pool.load()]).toEqual([2, 5]);
    const handovers = await time.run(Promise.all(sent));
    // Mails that waited too long for a connection were certainly not sent.
    expect(handovers.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown", "unknown", "deferred"]);
    expect([pool.load(), time.waiting()]).toEqual([0, 0]);
  });

  it("start at most perSecond mails", async () => {
    const { pool, time, seen } = poolTo({}, { changes: { perSecond: 2 } });
    const sent = Promise.all(Array.from({ length: 5 }, () => pool.send(MESSAGE)));
    await time.advance(1_000);
    expect(seen.mails).toHaveLength(3);
    await time.advance(999);
    expect(seen.mails).toHaveLength(4);
    await time.run(sent);
  });

  it("that the mail provider has closed in the meantime are replaced, and the mail is sent", async () => {
    const { send, seen } = poolTo({ at: { MAIL: [undefined, "drop"] } });
    await send();
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect([seen.connections, seen.mails.length]).toEqual([2, 2]);
  });

  it("on which the mail provider says 421 to the next mail are replaced too", async () => {
    const { send, seen } = poolTo({ at: { MAIL: [undefined, "421 4.7.0 too many mails on this connection"] } });
    await send();
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect([seen.connections, seen.mails.length]).toEqual([2, 2]);
  });

  it("go on after a refused recipient", async () => {
    const { send, seen } = poolTo({ at: { RCPT: ["550 5.1.1 no such user"] } });
    expect(await send()).toMatchObject({ outcome: "refused", about: "recipient" });
    expect(await send()).toMatchObject({ outcome: "accepted" });
    expect([seen.connections, seen.mails.length]).toEqual([1, 1]);
  });
});

describe("several recipients", () => {
  const envelope = { from: "b@example.com", to: ["main@example.net", "cc@example.net", "bcc@example.net"] };
  const message = messageOf("Subject: x\r\n\r\n", { envelope });
  const keywords = [["PIPELINING"], ["SIZE"]];

  it.each(keywords)("a refused copy is reported, and the mail goes to the others (%s)", async (...offered) => {
    const { send, seen } = poolTo({ keywords: offered, at: { RCPT: [undefined, "550 5.1.1 unknown"] } });
    expect(await send(message)).toEqual({
      outcome: "accepted",
      reply: "250 2.0.0 queued as 4F3A",
      refusedCopies: [{ to: "cc@example.net", replyCode: 550, code: "5.1.1", message: "unknown" }],
    });
    expect(seen.mails[0]?.to).toEqual(["main@example.net", "bcc@example.net"]);
  });

  it.each(keywords)("a refused main recipient decides: nobody gets the mail (%s)", async (...offered) => {
    const { send, seen } = poolTo({ keywords: offered, at: { RCPT: ["450 4.2.1 busy"] } });
    expect(await send(message)).toMatchObject({ outcome: "deferred", code: "4.2.1" });
    expect(seen.mails).toEqual([]);
    expect(await send()).toMatchObject({ outcome: "accepted" });
  });
});

describe("the envelope", () => {
  it.each([
    "a b@example.net",
    "a@example.net>\r\nRCPT TO:<x@example.net",
    "a\n@example.net",
    "a\0@example.net",
    "<a@example.net",
  ])("with %j is refused, and no command is sent", async (address) => {
    const { send, seen } = poolTo({});
    for (const envelope of [
      { from: address, to: ["ok@example.net"] },
      { from: "ok@example.com", to: ["ok@example.net", address] },
    ]) {
      const handover = await send(messageOf("x", { envelope }));
      expect(handover).toMatchObject({ outcome: "refused", about: "content" });
      expect("local" in handover).toBe(envelope.from !== address);
    }
    expect(texts(seen.lines)).not.toContainEqual(expect.stringMatching(/^(MAIL|RCPT)/));
  });
});
