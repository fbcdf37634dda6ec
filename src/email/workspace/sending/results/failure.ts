import type { Handover } from "../../../types/mail-handover.ts";
import { reportMail } from "../report-mail-events.ts";
import { endOfUnknown, nextAttempt } from "../retry-schedule.ts";
import { suppress } from "../suppression.ts";
import { MAX_REPLY } from "../waiting-mails.ts";
import { doubted, mayBeAboutAll } from "./refused-campaign-mail.ts";
import { countSoftBounce } from "./soft-bounces.ts";

type Clock = { sql: SqlStorage; now: number };

type End = { state: "sent" | "bounced" | "failed"; error?: string; sender?: string; reply?: string | undefined };

/** Settles a mail and erases its values, which may hold a sign-in link. */
export const finish = ({ sql, now }: Clock, n: number, { state, error, sender, reply }: End): void => {
  sql.exec(
    `UPDATE sends SET state = ?, due = NULL, variables = NULL, error = ?, sender = ?, reply = ?, settled_at = ? WHERE n = ?`,
    state,
    error ?? null,
    sender ?? null,
    reply?.slice(0, MAX_REPLY) ?? null,
    now,
    n,
  );
};

/** `started_at`: start of its 24 hours. `notBefore`: earliest due time. Both are Unix ms. */
type Failing = {
  n: number;
  sender: string;
  attempts: number;
  recipient: string;
  origin: string | null;
  created_at: number;
  started_at: number;
  notBefore: number;
};

/**
 * Records a failed or unknown attempt. `message`: provider text.
 *
 * @returns next due time in Unix ms, or undefined
 */
export const settleFailure = (
  clock: Clock & { random(): number },
  mail: Failing,
  handover: Exclude<Handover, { outcome: "accepted" }>,
  message: string,
): number | undefined => {
  if (handover.outcome === "deferred") return defer(clock, mail, handover, message);
  if (handover.outcome === "unknown") return leaveUnknown(clock, mail, message);
  const due = mayBeAboutAll(handover) ? doubted(clock, { ...mail, message }) : undefined;
  if (due !== undefined) return due;
  const { n, sender, recipient } = mail;
  const isBounce = handover.about === "recipient";
  if (isBounce) suppress(clock, recipient, "bounce");
  finish(clock, n, { state: isBounce ? "bounced" : "failed", error: message, sender });
  if (handover.about === "mailbox") refusedByMailbox(clock, mail);
  reportMail(clock, isBounce ? "email.hardBounced" : "email.softBounced", n);
  return undefined;
};

const defer = (
  clock: Clock & { random(): number },
  mail: Failing,
  { retryAfter = 0, about }: Extract<Handover, { outcome: "deferred" }>,
  message: string,
): number | undefined => {
  const { sql, now, random } = clock;
  const { n, sender, attempts, started_at: startedAt, notBefore } = mail;
  const due = nextAttempt({ attempts, retryAfter, startedAt, notBefore }, now, random());
  if (due !== undefined) {
    sql.exec("UPDATE sends SET state = 'queued', due = ?, error = ? WHERE n = ?", due, message, n);
    return due;
  }
  finish(clock, n, { state: "failed", error: message, sender });
  if (about === "mailbox") refusedByMailbox(clock, mail);
  reportMail(clock, "email.softBounced", n);
  return undefined;
};

/** Counts a soft bounce. Too many in a row suppress the address. */
export const softBounced = (
  clock: Clock,
  { recipient, created_at }: Pick<Failing, "recipient" | "created_at">,
): void => {
  if (countSoftBounce(clock, { recipient, created_at })) suppress(clock, recipient, "bounce");
};

/** Counts an immediate mailbox refusal as a soft bounce. Call it after the mail has failed. */
export const refusedByMailbox = (clock: Clock, mail: Pick<Failing, "n" | "recipient" | "created_at">): void => {
  softBounced(clock, mail);
  const counted = "sends = sends + 1, soft_bounces = soft_bounces + 1";
  const revision =
    "SELECT r.message FROM sends s JOIN message_revisions r ON r.n = s.revision WHERE s.n = ? AND s.preview = 0";
  clock.sql.exec(
    `UPDATE message_counts SET ${counted}, refused = refused + 1 WHERE message IN (${revision} AND s.class = 'marketing')`,
    mail.n,
  );
  clock.sql.exec(
    `INSERT INTO template_counts (template, sends, hard_bounces, soft_bounces, spam_reports)
     SELECT template, 1, 0, 1, 0 FROM email_messages
     WHERE template IS NOT NULL AND n IN (${revision} AND s.class = 'transactional')
     ON CONFLICT (template) DO UPDATE SET ${counted}`,
    mail.n,
  );
};

const leaveUnknown = ({ sql, now }: Clock, { n, started_at }: Failing, message: string): number => {
  const due = endOfUnknown(started_at, now);
  sql.exec("UPDATE sends SET state = 'unknown', due = ?, error = ? WHERE n = ?", due, message, n);
  return due;
};
