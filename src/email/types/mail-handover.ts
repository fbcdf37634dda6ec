/** Address with an optional name, as Unicode, not encoded. */
export type Mailbox = { name?: string; address: string };

export type Attachment = { filename: string; contentType: string; content: Uint8Array };

/** `listId`: in domain form (RFC 2919). `unsubscribeUrl`: takes the one-click POST of RFC 8058. */
type OfClass = { class: "transactional" } | { class: "marketing"; listId: string; unsubscribeUrl: string };

/** Mail ready to send, equal on every attempt except a late date. */
export type Mail = OfClass & {
  id: string;
  team: string;
  /** Id of its campaign or workflow. */
  origin?: string;
  /** Fixed when the send was stored, angle brackets included. */
  messageId: string;
  /** Unix ms of the first attempt, or of a retry more than an hour later. */
  date: number;
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  bcc: readonly Mailbox[];
  replyTo: readonly Mailbox[];
  subject: string;
  html: string;
  text: string;
  attachments: readonly Attachment[];
};

/** Marketing mail needs consent and an unsubscribe link; transactional mail answers a person's action. */
export type MailClass = "transactional" | "marketing";

/** Composed and signed message, ready for the wire. */
export type Message = {
  id: string;
  /** Header and body with CRLF line breaks, not dot-stuffed. */
  raw: Uint8Array;
  envelope: Envelope;
  /** True if a header or an envelope address needs SMTPUTF8 (RFC 6531). */
  smtpUtf8: boolean;
  /** Names the send, for mail providers that repeat it in webhooks. */
  token?: string;
};

/** Addresses for MAIL FROM and RCPT TO, without names. Recipients after the first get copies. */
type Envelope = { from: string; to: readonly string[] };

/** `code`: enhanced status code (RFC 3463), such as "5.1.1". `replyCode`: of SMTP, such as 550. */
type Codes = { code?: string; replyCode?: number };

export type RefusedCopy = Codes & { to: string; message: string };

/**
 * Result of an attempt for the main recipient. `message`, `reply`: words of the mail provider, or ours without an
 * answer.
 *
 * - `accepted`: taken.
 * - `refused`: never taken. `about`: the reason. `recipient`: address does not exist, gets suppressed. `mailbox`:
 * soft bounce.
 * `sender`: From address or domain. `policy`: everything else.
 * - `deferred`: certainly not taken, may be retried. `throttled`: send fewer mails. `down`: no connection, TLS or
 * login.
 * `configuration`: an operator has to act. `retryAfter`: requested wait in ms. `about`: the mailbox takes no mail
 * now. `patient`: the server refused the mail itself for now, as a greylist does.
 * - `unknown`: possibly taken.
 *
 * `local`: the mail provider was not asked, so the result says nothing about it.
 */
export type Handover =
  | { outcome: "accepted"; reply?: string; refusedCopies?: readonly RefusedCopy[] }
  | ({ outcome: "refused"; about: About; local?: true; message: string } & Codes)
  | ({
      outcome: "deferred";
      throttled?: Throttled;
      down?: true;
      configuration?: true;
      local?: true;
      retryAfter?: number;
      patient?: true;
      about?: "mailbox";
      message: string;
    } & Codes)
  | { outcome: "unknown"; message: string };

/** Limit behind a throttling answer: our account, or the recipient's domain. */
export type Throttled = "account" | "domain";

export type About = "recipient" | "mailbox" | "content" | "policy" | "sender";

/** Sends mail. An exception is an unknown outcome. `idempotent`: a repeated handover of an id changes nothing. */
export type Sender = { name: string; idempotent?: true; send(mail: Mail): Promise<Handover> };

/** `signs`: it signs by DKIM itself, which breaks our signature. `replaces`: header fields without our signature. */
export type MessageSender = {
  name: string;
  signs?: true;
  replaces?: readonly string[];
  send(message: Message): Promise<Handover>;
};
