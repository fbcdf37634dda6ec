import type { Handover } from "../../../types/mail-handover.ts";
import type { Connect, Timers, Tls } from "../definition.ts";
import type { Account } from "./accounts.ts";
import { messageOf, misconfigured, notConnected, refusalOf } from "./classify.ts";
import type { Limits } from "./limits.ts";
import type { Step } from "./reply-patterns.ts";
import type { Reply } from "./reply-reader.ts";
import { createWire, TimeLimitError, type Wire } from "./wire.ts";

/** SMTP connection ready for mail. */
export type Session = {
  wire: Wire;
  /** Largest message in bytes; undefined if the server names none (RFC 1870). */
  maxSize?: number;
  pipelining: boolean;
  eightBit: boolean;
  smtpUtf8: boolean;
  mails: number;
};

type Failure = { failure: Extract<Handover, { outcome: "deferred" }> };

export type SessionDependencies = { connect: Connect; timers: Timers; limits: Limits };

const utf8 = new TextEncoder();

export const commands = (...lines: string[]): Uint8Array => utf8.encode(`${lines.join("\r\n")}\r\n`);

/**
 * Connects, encrypts and logs in. With required TLS only EHLO, STARTTLS and QUIT are sent in clear text.
 *
 * @param domain our domain with DNS records, for EHLO (RFC 5321 section 4.1.1.1)
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
  // A 5xx in these steps concerns the connection, so the mail is deferred.
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
      // Injected plain text would be read as replies of the encrypted session: RFC 3207 section 6.
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

/** workerd gives the same error for an unreachable server and an untrusted certificate. */
const hint = (tls: Tls): string => (tls === "on" ? " (host, port or certificate)" : "");

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

/** Prefers AUTH PLAIN (RFC 4616) to AUTH LOGIN. */
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

/** A server may repeat the password in its reply. */
const withoutSecret = (reply: Reply, password: string): Reply => ({
  ...reply,
  text: [password, base64(password)].reduce((text, secret) => text.replaceAll(secret, "…"), reply.text),
});

/** Ends a session without waiting for the reply to QUIT. */
export const quit = async (wire: Wire, { quit: ms }: Limits): Promise<void> => {
  await wire.write(commands("QUIT"), ms).catch(() => {});
  wire.close();
};
