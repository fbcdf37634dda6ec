import type { Envelope } from "../../mail/dns/records.ts";
import type { Handover, Mail, MailClass, MessageSender, Sender } from "../../types/mail-handover.ts";

/** Setting of a sender. `check`: returns a problem without the value, which may be a secret. */
type Variable = {
  help: string;
  example?: string;
  secret?: true;
  required?: true;
  check?(value: string): string | undefined;
};

export type Problem = { problem: string };

/** The inbox takes mails, a mail provider takes composed messages. */
export type Configured = { inbox: Sender } | { sender: MessageSender };

/** Used part of a `cloudflare:sockets` socket. */
export type Socket = {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly opened: Promise<unknown>;
  close(): Promise<void>;
  startTls(): Socket;
};

/** `on`: TLS from the start. `starttls`: after a command. `off`: never. */
export type Tls = "on" | "starttls" | "off";

export type Connect = (address: { hostname: string; port: number }, tls: Tls) => Socket;

/** Clock and timers for tests. `after` returns a cancel function. */
export type Timers = { now(): number; after(ms: number, run: () => void): () => void };

/** HTTPS client with a clock. `timeout`: in ms. */
export type Https = { fetch(request: Request): Promise<Response>; now(): number; timeout(ms: number): AbortSignal };

/** Parts of the Workers runtime that senders use. */
export type Runtime = {
  connect: Connect;
  timers: Timers;
  https: Https;
  emailMessage(from: string, to: string, raw: ReadableStream): EmailMessage;
  capture(mail: Mail): Promise<Handover>;
};

/**
 * Sender of mail. `name`: value of TRANSACTIONAL_SENDER and MARKETING_SENDER. `local`: captures mail here, idempotent.
 * `only`: the one class that it takes. `binding`: a `send_email` binding that it needs.
 */
export type SenderDefinition<Name extends string = string, Settings = unknown> = {
  name: string;
  title: string;
  variables: Readonly<Record<Name, Variable>>;
  local?: true;
  only?: MailClass;
  binding?: "EMAIL";
  /** Gets trimmed values; an unset one is empty, a required one is set. A problem follows "TRANSACTIONAL_SENDER is x, and". */
  read(
    values: Readonly<Record<Name, string>>,
    mailClass: MailClass,
    bindings: { EMAIL?: SendEmail },
  ): { settings: Settings } | Problem;
  /** Name of the account that limits are learned for. Without a domain: the one for all domains, if there is one. */
  route?(settings: Settings, domain?: string): string | undefined;
  /** DNS records of the return path. `onlyMx`: no other MX record may stand beside them. */
  envelope?(settings: Settings): (Envelope & { onlyMx?: true }) | undefined;
  /** Further step that an operator has to take. */
  note?(settings: Settings): string | undefined;
  /** How bounces and complaints come back; completes "Feedback: …". */
  feedback?: string;
  /** Why they do not come back, as words after a colon. `env`: all variables, secrets and bindings. */
  unheard?(settings: Settings, env: Readonly<Record<string, unknown>>): string | undefined;
  create(settings: Settings, runtime: Runtime, mailClass: MailClass): (domain: string) => Configured;
};

/** Infers names and settings. */
export const defineSender = <Name extends string, Settings>(
  definition: SenderDefinition<Name, Settings>,
): SenderDefinition<Name, Settings> => definition;
