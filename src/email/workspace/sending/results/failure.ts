import type { Handover } from "../../../types/mail-handover.ts";
import { addRefused, addWaiting, type CampaignMail } from "../../core/mailer-claims.ts";
import { type AnswerCounts, withCounts } from "../answer-counts.ts";
import { reportMail } from "../report-mail-events.ts";
import { endOfUnknown, nextAttempt } from "../retry-schedule.ts";
import { suppress } from "../suppression.ts";
import { MAX_REPLY } from "../waiting-mails.ts";
import { bounced } from "./hard-refusals.ts";
import { doubted, mayBeAboutAll } from "./refused-campaign-mail.ts";
import { countSoftBounce } from "./soft-bounces.ts";

type Clock = { sql: SqlStorage; now: number };

type Failed = Clock & { random(): number; counts: AnswerCounts };

type End = {
  state: "sent" | "bounced" | "failed";
  error?: string;
  sender?: string;
  reply?: string | undefined;
  history?: string;
};

/** Settles a mail and erases its values, which may hold a sign-in link. */
export const finish = ({ sql, now }: Clock, n: number, { state, error, sender, reply, history }: End): void => {
  sql.exec(
    `UPDATE sends SET state = ?, due = NULL, variables = NULL, error = ?, sender = ?, reply = ?, settled_at = ?,
       history = coalesce(?, history) WHERE n = ?`,
    state,
    error ?? null,
    sender ?? null,
    reply?.slice(0, MAX_REPLY) ?? null,
    now,
    history ?? null,
    n,
  );
};

/**
 * `started_at`: start of its 24 hours. `notBefore`: earliest due time. Both are Unix ms. `message`: n, of marketing mail
 * that counts. `history`: JSON, with this attempt. `mail`: of a claim without a row.
 */
type Failing = {
  n: number;
  sender: string;
  attempts: number;
  recipient: string;
  origin: string | null;
  created_at: number;
  started_at: number;
  notBefore: number;
  message: number | null;
  run: number;
  history: string;
  mail?: (CampaignMail & { mailer: string }) | undefined;
};

/**
 * Records a failed or unknown attempt. `message`: provider text.
 *
 * @returns next due time in Unix ms, or undefined
 */
export const settleFailure = (
  clock: Failed,
  mail: Failing,
  handover: Exclude<Handover, { outcome: "accepted" }>,
  message: string,
): number | undefined => {
  if (handover.outcome === "deferred") return defer(clock, mail, handover, message);
  if (handover.outcome === "unknown") return leaveUnknown(clock, mail, message);
  const due = mayBeAboutAll(handover) ? doubted(clock, { ...mail, message }) : undefined;
  if (due !== undefined) return wait(clock, mail, { due, error: message, mayLeaveAt: clock.now });
  const { n } = mail;
  const isBounce = handover.about === "recipient";
  fail(clock, mail, { state: isBounce ? "bounced" : "failed", error: message });
  const isHard = isBounce && bounced(clock, { ...mail, words: message, isReport: false });
  if (handover.about === "mailbox") refusedByMailbox(clock, mail);
  reportMail(clock, isHard ? "email.hardBounced" : "email.softBounced", n);
  return undefined;
};

/** A changed history tells the trigger that the mail is counted here. */
const fail = (
  clock: Failed,
  { n, sender, message, history, mail }: Failing,
  end: { state: "bounced" | "failed"; error: string },
): void => {
  if (mail) addRefused(clock.sql, mail, { ...end, sender, history, at: clock.now });
  else finish(clock, n, { ...end, sender, history });
  const isBounce = end.state === "bounced";
  clock.counts.add(message, "settled", ...(isBounce ? BOUNCED : FAILED));
};

const BOUNCED = ["sends", "hard_bounces", "refused"] as const;
const FAILED = ["failed"] as const;

/** `mayLeaveAt`: Unix ms, null for the same. */
const wait = (
  { sql, counts }: Failed,
  { n, message, run, history, mail }: Failing,
  { due, error, mayLeaveAt }: { due: number; error: string; mayLeaveAt: number | null },
): number => {
  if (mail) addWaiting(sql, mail, { due, error, mayLeaveAt, history, mailer: mail.mailer });
  else
    sql.exec(
      `UPDATE sends SET state = 'queued', due = ?, may_leave_at = coalesce(?, may_leave_at), error = ?, history = ? WHERE n = ?`,
      due,
      mayLeaveAt,
      error,
      history,
      n,
    );
  if (run === 0) counts.add(message, "deferred");
  return due;
};

const defer = (
  clock: Failed,
  mail: Failing,
  { retryAfter = 0, patient, about }: Extract<Handover, { outcome: "deferred" }>,
  message: string,
): number | undefined => {
  const { now, random } = clock;
  const { n, attempts, started_at: startedAt, notBefore } = mail;
  const due = nextAttempt({ attempts, retryAfter, patient: patient === true, startedAt, notBefore }, now, random());
  if (due !== undefined) return wait(clock, mail, { due, error: message, mayLeaveAt: null });
  fail(clock, mail, { state: "failed", error: message });
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
export const refusedByMailbox = (
  clock: Clock & { counts?: AnswerCounts },
  mail: Pick<Failing, "n" | "recipient" | "created_at">,
): void => {
  softBounced(clock, mail);
  const counted = "sends = sends + 1, soft_bounces = soft_bounces + 1";
  const revision =
    "SELECT r.message FROM sends s JOIN message_revisions r ON r.n = s.revision WHERE s.n = ? AND s.preview = 0";
  const [marketing] = clock.sql.exec<{ message: number }>(`${revision} AND s.class = 'marketing'`, mail.n).toArray();
  if (marketing) withCounts(clock, ({ counts }) => counts.add(marketing.message, "sends", "soft_bounces", "refused"));
  clock.sql.exec(
    `INSERT INTO template_counts (template, sends, hard_bounces, soft_bounces, spam_reports)
     SELECT template, 1, 0, 1, 0 FROM email_messages
     WHERE template IS NOT NULL AND n IN (${revision} AND s.class = 'transactional')
     ON CONFLICT (template) DO UPDATE SET ${counted}`,
    mail.n,
  );
};

const leaveUnknown = (
  { sql, now, counts }: Failed,
  { n, started_at, message, history, mail }: Failing,
  error: string,
): number => {
  const due = endOfUnknown(started_at, now);
  if (mail) addRefused(sql, mail, { state: "unknown", due, error, history });
  else
    sql.exec("UPDATE sends SET state = 'unknown', due = ?, error = ?, history = ? WHERE n = ?", due, error, history, n);
  counts.add(message, "unknown", "settled");
  return due;
};
