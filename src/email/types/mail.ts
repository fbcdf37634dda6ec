/** A name with an address, or an address alone. Both as people write them: Unicode, not encoded. */
export type Mailbox = { name?: string; address: string };

export type Attachment = { filename: string; contentType: string; content: Uint8Array };

/**
 * Marketing mail has a list and a way to leave it. `listId`: a name in the form of a domain (RFC 2919). `unsubscribeUrl`:
 * takes the one-click POST of RFC 8058.
 */
type OfClass = { class: "transactional" } | { class: "marketing"; listId: string; unsubscribeUrl: string };

/** A mail ready to send. It is the same on every attempt. */
export type Mail = OfClass & {
  /** Id of the send. */
  id: string;
  /** Slug of the team. */
  team: string;
  /** Fixed when the row of the send was written, angle brackets included. */
  messageId: string;
  /** Unix ms: the Date of the mail. */
  createdAt: number;
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

/**
 * Result of an attempt. `message` and `reply` are the relay's words, or ours where there was no answer.
 *
 * - `accepted`: the relay took the mail.
 * - `refused`: the relay did not take the mail and never will. `about`: what it refused. An address that does not exist
 *   (`recipient`) is suppressed; nothing else is. `code`: enhanced status code (RFC 3463), such as "5.1.1".
 * - `deferred`: the relay certainly did not take the mail; it may get the mail again. `throttled`: it asks for fewer mails.
 *   `configuration`: no mail passes before a person mends the settings, such as a wrong password.
 * - `unknown`: the relay may have taken the mail.
 */
export type Handover =
  | { outcome: "accepted"; reply?: string }
  | { outcome: "refused"; about: "recipient" | "content" | "policy"; code?: string; message: string }
  | { outcome: "deferred"; throttled?: true; configuration?: true; code?: string; message: string }
  | { outcome: "unknown"; message: string };

/**
 * Delivers mail. An exception counts as an unknown outcome. `idempotent`: a second handover of the same id changes nothing, so
 * that a mail may be handed over again after an unknown outcome.
 */
export type Sender = { name: string; idempotent?: true; send(mail: Mail): Promise<Handover> };
