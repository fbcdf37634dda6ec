/** A name with an address, or an address alone. Both as people write them: Unicode, not encoded. */
export type Mailbox = { name?: string; address: string };

export type Attachment = { filename: string; contentType: string; content: Uint8Array };

/**
 * Marketing mail has a list and a way to leave it. `listId`: a name in the form of a domain (RFC 2919). `unsubscribeUrl`:
 * takes the one-click POST of RFC 8058.
 */
type OfClass = { class: "transactional" } | { class: "marketing"; listId: string; unsubscribeUrl: string };

/** A mail ready to send. It is the same on every attempt, but for the date of a late one. */
export type Mail = OfClass & {
  /** Id of the send. */
  id: string;
  /** Slug of the team. */
  team: string;
  /** Fixed when the row of the send was written, angle brackets included. */
  messageId: string;
  /** Unix ms: of the first attempt, or of a retry that is made more than an hour later. */
  date: number;
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  /** Recipients that only the envelope names, never the message. */
  bcc: readonly Mailbox[];
  replyTo: readonly Mailbox[];
  subject: string;
  html: string;
  text: string;
  attachments: readonly Attachment[];
};

/** Marketing mail needs consent and has an unsubscribe link; transactional mail answers what a person did. */
export type MailClass = "transactional" | "marketing";

/** A composed and signed message, ready for the wire. */
export type Message = {
  /** Id of the send: the same on every attempt. */
  id: string;
  /** Header and body with CRLF line breaks, not dot-stuffed. */
  raw: Uint8Array;
  envelope: Envelope;
  /** True when a header or an address of the envelope needs SMTPUTF8 (RFC 6531). */
  smtpUtf8: boolean;
  /** Names the send, for relays that repeat it in their webhooks. */
  token?: string;
};

/** Addresses for MAIL FROM and RCPT TO, without names. The first recipient is that of the send; the others get copies. */
export type Envelope = { from: string; to: readonly string[] };

/** `code`: enhanced status code (RFC 3463), such as "5.1.1". `replyCode`: of SMTP, such as 550. */
type Codes = { code?: string; replyCode?: number };

/** A recipient of a copy that the relay did not accept. */
export type RefusedCopy = Codes & { to: string; message: string };

/**
 * Result of an attempt, for the main recipient. `message` and `reply` are the relay's words, or ours where there was no answer.
 *
 * - `accepted`: the relay took the mail.
 * - `refused`: the relay did not take the mail and never will. `about`: what it refused. An address that does not exist
 *   (`recipient`) is suppressed. `mailbox`: it takes no mail for now, such as a full one: a soft bounce. `sender`: the From
 *   address or its domain. `policy` has everything else.
 * - `deferred`: the relay certainly did not take the mail; it may get the mail again. `throttled`: it asks for fewer mails.
 *   `down`: no mail passes this relay now: no connection, no TLS or no login. `configuration`: no mail passes before a person mends the settings, such as a wrong password. `retryAfter`: ms that the
 *   relay asks to wait. `about`: the mailbox takes no mail for now, whatever the relay.
 * - `unknown`: the relay may have taken the mail.
 *
 * `local`: the relay was not asked, so that the outcome says nothing about it.
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
      about?: "mailbox";
      message: string;
    } & Codes)
  | { outcome: "unknown"; message: string };

/** Whose limit a throttling answer is about: our account at the relay, or the domain of the recipient. */
export type Throttled = "account" | "domain";

export type About = "recipient" | "mailbox" | "content" | "policy" | "sender";

/**
 * Delivers mail. An exception counts as an unknown outcome. `idempotent`: a second handover of the same id changes nothing, so
 * that a mail may be handed over again after an unknown outcome.
 */
export type Sender = { name: string; idempotent?: true; send(mail: Mail): Promise<Handover> };

/**
 * Hands composed messages over to a relay. `signs`: it signs by DKIM itself and changes what our signature would cover.
 * `replaces`: header fields that it replaces, which our signature leaves out.
 */
export type RelaySender = {
  name: string;
  signs?: true;
  replaces?: readonly string[];
  send(message: Message): Promise<Handover>;
};
