import { type AddressInfo, createServer } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startMailer } from "../mail-provider/mailer.ts";
import { type Answer, type Behavior, createMailProvider, type Stage } from "../mail-provider/relay.ts";
import { listen, TRUSTED, UNTRUSTED } from "../mail-provider/tcp.ts";

let mailer: Awaited<ReturnType<typeof startMailer>>;
beforeAll(async () => {
  mailer = await startMailer();
});
afterAll(() => mailer.stop());
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const envelope = { from: "bounce@example.com", to: ["ada@example.net"] };
const RAW = Buffer.from("From: a@example.com\r\nSubject: dots\r\n\r\n.\r\n..a\r\nGr\u00fc\u00dfe\r\n.", "utf8");
const orderOf = (url: string, raw: Uint8Array = RAW) => ({ url, envelope, raw: Buffer.from(raw).toString("base64") });
const send = async (url: string, raw?: Uint8Array) => (await mailer.send(orderOf(url, raw))).handovers[0];
const sendPatiently = async (url: string, raw?: Uint8Array) =>
  (await mailer.send({ ...orderOf(url, raw), isPatient: true })).handovers[0];

const strictServer = async (options: SMTPServerOptions) => {
  const mails: { from: string; to: string[]; raw: Buffer; secure: boolean; user: string | undefined }[] = [];
  let connections = 0;
  const server = new SMTPServer({
    ...TRUSTED,
    logger: false,
    onConnect: (_session, callback) => {
      connections++;
      callback();
    },
    onAuth: ({ username, password }, _session, callback) =>
      username === "me@example.com" && password === "p:/?#@\u00e4 %"
        ? callback(null, { user: username })
        : callback(new Error("Invalid login")),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        mails.push({
          from,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
          secure: session.secure,
          user: session.user,
        });
        callback();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, connections: () => connections };
};
const LOGIN = `me%40example.com:${encodeURIComponent("p:/?#@\u00e4 %")}`;

describe("the RFC-strict server of npm", () => {
  it.each<[string, SMTPServerOptions, (port: number) => string]>([
    [
      "plain on loopback",
      { disabledCommands: ["AUTH"], hideSTARTTLS: true },
      (port) => `smtp://127.0.0.1:${port}?tls=off`,
    ],
    ["STARTTLS and AUTH PLAIN", { authMethods: ["PLAIN"] }, (port) => `smtp://${LOGIN}@127.0.0.1:${port}`],
    ["STARTTLS and AUTH LOGIN", { authMethods: ["LOGIN"] }, (port) => `smtp://${LOGIN}@127.0.0.1:${port}`],
    ["TLS from the start", { secure: true }, (port) => `smtps://${LOGIN}@127.0.0.1:${port}`],
  ])("gets every byte: %s", async (_how, options, urlOf) => {
    const server = await strictServer(options);
    const url = urlOf(server.port);
    expect(await sendPatiently(url)).toMatchObject({ outcome: "accepted" });
    const tls = !url.endsWith("tls=off");
    const expected = { ...envelope, raw: Buffer.concat([RAW, Buffer.from("\r\n")]), secure: tls };
    expect(server.mails).toMatchObject([expected]);
    expect(server.mails[0]?.user).toBe(tls ? "me@example.com" : undefined);
    const large = Buffer.from(`Subject: large\r\n\r\n${`.${"x".repeat(70)}\r\n`.repeat(30_000)}`);
    expect(await sendPatiently(url, large)).toMatchObject({ outcome: "accepted" });
    expect(server.mails[1]?.raw.equals(large)).toBe(true);
    expect(server.connections()).toBe(1);
  });

  it("refuses a wrong password: no mail is lost, and the message does not show it", async () => {
    const server = await strictServer({});
    const handover = await send(`smtp://me%40example.com:geheim@127.0.0.1:${server.port}`);
    expect(handover).toMatchObject({ outcome: "deferred", configuration: true, replyCode: 535 });
    expect(JSON.stringify(handover)).not.toContain("geheim");
  });

  it("refuses a recipient, and takes the next mail on the same connection", async () => {
    let refuse = true;
    const server = await strictServer({
      authOptional: true,
      onRcptTo: (_address, _session, callback) => {
        callback(refuse ? Object.assign(new Error("5.1.1 no such user"), { responseCode: 550 }) : null);
        refuse = false;
      },
    });
    const url = `smtp://127.0.0.1:${server.port}`;
    expect(await send(url)).toMatchObject({ outcome: "refused", about: "recipient", replyCode: 550 });
    expect(await send(url)).toMatchObject({ outcome: "accepted" });
    expect([server.connections(), server.mails.length]).toEqual([1, 1]);
  });

  it("is over its own SIZE: the mail is refused before it is sent", async () => {
    const server = await strictServer({ authOptional: true, size: 1_000 });
    const handover = await send(`smtp://127.0.0.1:${server.port}`, Buffer.alloc(2_000, "x"));
    expect(handover).toMatchObject({ outcome: "refused", about: "content" });
  });
});

const BIG = Buffer.from(`Subject: big\r\n\r\n${`${"x".repeat(998)}\r\n`.repeat(12_000)}`);

describe("a mail provider on a real socket", () => {
  const mailProviderAt = async (behavior: Behavior, options: Parameters<typeof listen>[1] = {}, tls = "") => {
    const mailProvider = createMailProvider({ keywords: ["PIPELINING", "8BITMIME"], ...behavior }, options.implicitTls);
    const { port, stop } = await listen(mailProvider.serve, options);
    stops.push(stop);
    return { seen: mailProvider.seen, url: `${options.implicitTls ? "smtps" : "smtp"}://127.0.0.1:${port}${tls}` };
  };

  it("is not there", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const handover = await send(`smtp://127.0.0.1:${port}`);
    expect(handover).toMatchObject({
      outcome: "deferred",
      message: expect.stringContaining(`not sent: no connection to 127.0.0.1:${port}: `),
    });
    expect(handover).not.toHaveProperty("configuration");
  });

  it.each<[Stage, Answer, Uint8Array | undefined, object]>([
    ["greeting", "drop", undefined, { outcome: "deferred" }],
    ["STARTTLS", "drop", undefined, { outcome: "deferred" }],
    ["MAIL", "drop", undefined, { outcome: "deferred" }],
    ["DATA", "drop", undefined, { outcome: "deferred" }],
    ["block", "drop", BIG, { outcome: "deferred" }],
    ["end", "drop", undefined, { outcome: "unknown" }],
    ["greeting", "stall", undefined, { outcome: "deferred" }],
    ["EHLO", "stall", undefined, { outcome: "deferred" }],
    ["RCPT", "stall", undefined, { outcome: "deferred" }],
    ["block", "stall", BIG, { outcome: "deferred" }],
    ["end", "stall", undefined, { outcome: "unknown" }],
    ["greeting", "421 4.3.2 down", undefined, { outcome: "deferred", down: true }],
    ["RCPT", "421 4.7.0 slow down", undefined, { outcome: "deferred", throttled: "domain" }],
    ["end", "421 4.7.0 slow down", undefined, { outcome: "deferred", throttled: "domain" }],
    ["RCPT", "450 4.2.1 busy", undefined, { outcome: "deferred", replyCode: 450 }],
    ["MAIL", "452 4.3.1 full", undefined, { outcome: "deferred", replyCode: 452 }],
    ["RCPT", "550 5.1.1 unknown", undefined, { outcome: "refused", about: "recipient" }],
    ["end", "552 5.3.4 too large", undefined, { outcome: "refused", about: "content" }],
    ["end", "554 5.7.1 spam", undefined, { outcome: "refused", about: "policy" }],
    ["greeting", `220 ${"x".repeat(10_000_000)}\r\n`, undefined, { outcome: "deferred" }],
    ["greeting", "220-hello\r\n".repeat(500_000) as "2", undefined, { outcome: "deferred" }],
  ])("that fails at %s", async (stage, answer, raw, expected) => {
    const { seen, url } = await mailProviderAt({ at: { [stage]: answer } });
    expect(await send(url, raw)).toMatchObject(expected);
    expect(seen.mails.length).toBe(stage === "end" && /^(drop|stall)$/.test(String(answer)) ? 1 : 0);
  });

  it.each([
    ["in the packet of the reply", "220 go\r\n250-relay.test\r\n250 AUTH PLAIN\r\n235 in\r\n250 ok\r\n" as Answer],
    [
      "after the reply",
      (async (peer) => {
        await peer.send("220 go\r\n");
        await peer.send("250-relay.test\r\n250 AUTH PLAIN\r\n235 in\r\n250 ok\r\n");
      }) satisfies Answer,
    ],
  ])("puts replies before TLS, which are not believed: %s", async (_how, answer) => {
    const { seen, url } = await mailProviderAt({ at: { STARTTLS: answer } });
    expect(await send(url.replace("://", "://user:geheim@"))).toMatchObject({ outcome: "deferred" });
    expect(seen.lines.filter(({ text }) => !/^(EHLO|STARTTLS|QUIT)/.test(text))).toEqual([]);
  });

  it("offers no STARTTLS: neither password nor mail is sent", async () => {
    const { seen, url } = await mailProviderAt({ noStartTls: true });
    const handover = await send(url.replace("://", "://user:geheim@"));
    expect(handover).toMatchObject({ outcome: "deferred", configuration: true });
    expect(seen.lines.map(({ text }) => text)).toEqual(["EHLO example.com", "QUIT"]);
  });

  it.each([
    ["STARTTLS", {}, { outcome: "deferred", configuration: true }],
    [
      "TLS from the start",
      { implicitTls: true },
      { outcome: "deferred", message: expect.stringContaining("or certificate") },
    ],
  ])("has a certificate that is not trusted: no mail is sent (%s)", async (_how, options, expected) => {
    const { seen, url } = await mailProviderAt({}, { ...options, certificate: UNTRUSTED });
    expect(await send(url)).toMatchObject(expected);
    expect(seen.mails).toEqual([]);
  });

  it("takes 200 mails over four connections, each once", async () => {
    const { seen, url } = await mailProviderAt({ keywords: ["PIPELINING", "8BITMIME"] });
    const { handovers } = await mailer.send({ ...orderOf(url), copies: 200, maxConnections: 4 });
    expect(new Set(handovers.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
    expect([seen.mails.length, seen.connections]).toEqual([200, 4]);
  });
});
