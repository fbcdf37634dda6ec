import type { Handover } from "../../../types/mail.ts";
import type { Account } from "./accounts.ts";
import { messageOf, misconfigured, notConnected, refusalOf } from "./classify.ts";
import type { Limits } from "./limits.ts";
import type { Step } from "./replies.ts";
import type { Reply } from "./reply.ts";
import { type Connect, createWire, TimeLimitError, type Timers, type Tls, type Wire } from "./wire.ts";

/** A connection that is ready for mail, and the extensions that the relay offers. */
export type Session = {
  wire: Wire;
  /** Largest message that the relay accepts, in bytes; undefined when it names none (RFC 1870). */
  maxSize?: number;
  pipelining: boolean;
  eightBit: boolean;
  smtpUtf8: boolean;
  /** Mails handed over on this connection. */
  mails: number;
};

type Failure = { failure: Extract<Handover, { outcome: "deferred" }> };

/** What a session needs besides the account. */
export type SessionDependencies = { connect: Connect; timers: Timers; limits: Limits };

const utf8 = new TextEncoder();

/** Commands as bytes, each with its line end. */
export const commands = (...lines: string[]): Uint8Array => utf8.encode(`${lines.join("\r\n")}\r\n`);

/**
 * Connects, encrypts and logs in. With TLS required nothing but EHLO, STARTTLS and QUIT goes over the wire in clear text.
 *
 * @param domain a domain of ours that DNS knows, for EHLO (RFC 5321 section 4.1.1.1): relays may look it up
 * @param until Unix ms
 */
export const openSession = async (
  account: Account,
  { connect, timers, limits }: SessionDependencies,
  domain: string,
  until: number,
): Promise<Session | Failure> => {
  let wire: Wire;
  try {
    wire = createWire(connect({ hostname: account.host, port: account.port }, account.tls), timers);
  } catch (error) {
    return { failure: notConnected(error) };
  }
  let opened = false;
  let securing = false;
  const left = (ms: number) => Math.min(ms, until - timers.now());
  const ask = async (...lines: string[]): Promise<Reply> => {
    await wire.write(commands(...lines), left(limits.command));
    return wire.read(left(limits.command));
  };
  const fail = (failure: Failure["failure"]): Failure => {
    wire.close();
    return { failure };
  };
  const leave = async (failure: Failure["failure"]): Promise<Failure> => {
    await quit(wire, limits);
    return { failure };
  };
  // 5xx to these steps concern the connection, so that the mail is always deferred.
  const refused = (step: Step, reply: Reply) => leave(refusalOf(step, reply) as Failure["failure"]);
  try {
    await wire.opened(left(limits.connect));
    opened = true;
    securing = account.tls === "on";
    const greeting = await wire.read(left(limits.greeting));
    securing = false;
    if (greeting.code !== 220) return await refused("greeting", greeting);
    let hello = await ask(`EHLO ${domain}`);
    if (hello.code !== 250) return await refused("EHLO", hello);
    if (account.tls === "starttls") {
      if (!keywords(hello).has("STARTTLS"))
        return await leave(misconfigured(`${account.name} does not offer STARTTLS. Nothing was sent in clear text.`));
      const reply = await ask("STARTTLS");
      if (reply.code !== 220) return await refused("STARTTLS", reply);
      // Text that was added on the way would be read as replies of the encrypted session: RFC 3207 section 6.
      if (wire.hasMore())
        return fail(misconfigured(`${account.name} sent text after its reply to STARTTLS, before TLS.`));
      securing = true;
      wire.startTls();
      hello = await ask(`EHLO ${domain}`);
      securing = false;
      if (hello.code !== 250) return await refused("EHLO", hello);
    }
    const offered = keywords(hello);
    if (account.login) {
      const { mechanism, reply } = await logIn(account.login, offered.get("AUTH") ?? "", ask);
      if (!mechanism) return await leave(misconfigured(`${account.name} offers neither AUTH PLAIN nor AUTH LOGIN.`));
      if (reply.code !== 235) return await refused("AUTH", withoutSecret(reply, account.login.password));
    }
    return { wire, mails: 0, ...extensions(offered) };
  } catch (error) {
    const what = messageOf(error);
    if (!opened) return fail(notConnected(`no connection to ${account.name}${hint(account.tls)}: ${what}`));
    const failed = securing && !(error instanceof TimeLimitError);
    return fail(failed ? misconfigured(`No TLS session with ${account.name}: ${what}`) : notConnected(error));
  }
};

/** workerd gives the same error for a relay that is not there and for a certificate that is not trusted. */
const hint = (tls: Tls): string => (tls === "on" ? " (host, port or certificate)" : "");

/** The keywords of a reply to EHLO, in upper case, with their parameters. */
const keywords = ({ lines }: Reply): Map<string, string> =>
  new Map(
    lines.slice(1).map((line) => {
      const [, name = "", rest = ""] = /^([^\s=]*)[\s=]*(.*)$/.exec(line.trim()) ?? [];
      return [name.toUpperCase(), rest.toUpperCase()];
    }),
  );

const extensions = (offered: Map<string, string>): Omit<Session, "wire" | "mails"> => {
  const size = Number(offered.get("SIZE"));
  return {
    ...(size > 0 ? { maxSize: size } : {}),
    pipelining: offered.has("PIPELINING"),
    eightBit: offered.has("8BITMIME"),
    smtpUtf8: offered.has("SMTPUTF8") && offered.has("8BITMIME"),
  };
};

/** AUTH PLAIN (RFC 4616) where it is offered, else AUTH LOGIN. */
const logIn = async (
  { user, password }: { user: string; password: string },
  offered: string,
  ask: (line: string) => Promise<Reply>,
): Promise<{ mechanism: "PLAIN" | "LOGIN"; reply: Reply } | { mechanism?: undefined; reply?: undefined }> => {
  const mechanisms = offered.split(/\s+/);
  if (mechanisms.includes("PLAIN")) {
    return { mechanism: "PLAIN", reply: await ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`) };
  }
  if (!mechanisms.includes("LOGIN")) return {};
  let reply = await ask("AUTH LOGIN");
  for (const answer of [user, password]) if (reply.code === 334) reply = await ask(base64(answer));
  return { mechanism: "LOGIN", reply };
};

const base64 = (text: string): string => btoa(String.fromCharCode(...utf8.encode(text)));

/** A relay may repeat what it was sent. */
const withoutSecret = (reply: Reply, password: string): Reply => ({
  ...reply,
  text: [password, base64(password)].reduce((text, secret) => text.replaceAll(secret, "…"), reply.text),
});

/** Ends a session. The reply to QUIT is not awaited. */
export const quit = async (wire: Wire, { quit: ms }: Limits): Promise<void> => {
  await wire.write(commands("QUIT"), ms).catch(() => {});
  wire.close();
};
