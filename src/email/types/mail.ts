/** A mail ready to send. Its id is the same on every attempt. */
export type Mail = {
  /** Id of the send. */
  id: string;
  /** Slug of the team. */
  team: string;
  /** Address without a name, like `to`. The From header carries the name. */
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** In order, as Unicode text of one line each. The sender encodes them for the wire. */
  headers: Record<string, string>;
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
