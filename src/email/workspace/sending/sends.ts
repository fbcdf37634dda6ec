import type { Values } from "../../../lib/lmx/fill.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { Attachment, MailClass } from "../../types/mail-handover.ts";
import { firstTime } from "../core/chore.ts";
import { type Context, wake } from "../core/context.ts";
import { ensureOldRows, ensureRow } from "../core/mailer-claims.ts";
import { nextNumber } from "../core/numbers.ts";
import { readFullUntil } from "../limits/windows/window-rows.ts";
import { storeAttachments } from "./attachments.ts";
import { reportMail } from "./report-mail-events.ts";
import { refusedByMailbox } from "./results/failure.ts";
import { GIVE_UP_MS } from "./retry-schedule.ts";
import { eventsOf, noteEvents } from "./send-events.ts";
import { reasonNotToSend } from "./suppression.ts";
import { holdMail, IS_HELD, isHeld } from "./waiting-mails.ts";

const NEW = { state: "queued", error: null, settled: null } as const;

/** `preview`: excluded from statistics. */
export type NewSend = {
  revision: number;
  recipient: string;
  values: Values;
  domain: string;
  attachments?: readonly Attachment[];
  preview?: true;
  marketing?: ForContact;
  notSent?: string | undefined;
};

/** Extra fields of a marketing mail. `contact`: n. `due`, `wakeAt`: Unix ms; `wakeAt` defaults to `due`. */
type ForContact = {
  contact: number;
  list?: string | undefined;
  origin?: string | undefined;
  run: number;
  due?: number | undefined;
  wakeAt?: number | undefined;
};

/** Ms until the alarm looks after a new mail, in case this object is reset before it leaves. An alarm writes a row. */
const LOOK_MS = 30_000;

/** Writes a mail's row with its final Message-ID, also for suppressed addresses. */
export const acceptSend = (
  context: Context,
  mail: NewSend,
): { n: number; id: string; state: "queued" | "not_sent" } => {
  const { sql, now } = context;
  const { attachments = [], domain, marketing } = mail;
  const n = nextNumber(sql, "sends", now);
  const id = context.id(`snd_${n.toString(36)}`);
  const reason = marketing ? mail.notSent : reasonNotToSend(sql, mail.recipient);
  const row = reason
    ? ({ state: "not_sent", due: null, error: reason, variables: null, settled: now } as const)
    : ({
        ...NEW,
        due: marketing?.due ?? now,
        variables: JSON.stringify(mail.values),
      } as const);
  const mailer = row.due === null || marketing || mail.preview ? undefined : context.freeMailer?.();
  sql.exec(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, error, variables, created_at, settled_at, preview, attachments,
       contact, list, origin, run, idempotency_key, mailer, dated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    n,
    id,
    marketing ? "marketing" : "transactional",
    mail.revision,
    mail.recipient,
    emailKey(mail.recipient),
    `<${id}@${domain}>`,
    mailer ? "sending" : row.state,
    mailer ? 1 : 0,
    row.due,
    row.error,
    row.variables,
    now,
    row.settled,
    mail.preview ? 1 : 0,
    attachments.length,
    marketing?.contact ?? null,
    marketing?.list ?? null,
    marketing?.origin ?? null,
    marketing?.run ?? null,
    marketing ? null : (context.idempotencyKey ?? null),
    mailer ?? null,
    mailer ? now : null,
  );
  if (row.due !== null) {
    storeAttachments(sql, n, attachments);
    if (!marketing) context.after.sends.push(n);
    wake(context, marketing ? (marketing.wakeAt ?? row.due) : now + LOOK_MS);
  }
  return { n, id, state: row.state };
};

/** Returns `n` from a send's id; undefined if it is no id of a send. */
export const numberInId = (id: string): number | undefined => {
  const [, written] = /^snd_([0-9a-z]{1,11})_/.exec(id) ?? [];
  return written === undefined ? undefined : Number.parseInt(written, 36);
};

export const findSend = (sql: SqlStorage, id: string): number | undefined => {
  const n = numberInId(id);
  if (n === undefined) return undefined;
  ensureRow(sql, n);
  return sql.exec<{ n: number }>("SELECT n FROM sends WHERE n = ? AND id = ?", n, id).toArray()[0]?.n;
};

/** True if a send has this id. Changes nothing, because strangers ask. */
export const hasSend = (sql: SqlStorage, id: string): boolean => {
  const n = numberInId(id);
  return n !== undefined && sql.exec("SELECT n FROM sends WHERE n = ? AND id = ?", n, id).toArray().length > 0;
};

/** Mails to one address that are searched, newest first. */
const MOST_TAKEN = 500;

/** Returns `n` of the mail to an address that a sender took with this id. */
export const takenSend = (
  sql: SqlStorage,
  sender: string,
  { recipient, reply }: { recipient: string; reply: string },
): number | undefined => {
  const bare = reply.replace(/^<|>$/g, "");
  return sql
    .exec<{ n: number }>(
      `SELECT n FROM (SELECT n, sender, reply FROM sends WHERE recipient_key = ? ORDER BY n DESC LIMIT ${MOST_TAKEN})
       WHERE sender = ? AND reply IN (?, '<' || ? || '>') LIMIT 1`,
      emailKey(recipient),
      sender,
      bare,
      bare,
    )
    .toArray()[0]?.n;
};

/** Returns the next due time in Unix ms, or infinity. Held mail is not due, claimed mail is with a Mailer. */
export const nextDue = (sql: SqlStorage, mailClass: MailClass, after = -1): number => {
  const due = firstTime(
    sql,
    `SELECT (SELECT due FROM sends WHERE class = '${mailClass}' AND due > ${after} AND state <> 'sending' ORDER BY due LIMIT 1) AS at`,
  );
  return isHeld(due) ? Number.POSITIVE_INFINITY : due;
};

/**
 * Returns the next due time in Unix ms, or infinity.
 *
 * @param notBefore earliest claim time in Unix ms
 */
export const nextSend = (sql: SqlStorage, now: number, notBefore: (mailClass: MailClass) => number): number =>
  Math.min(
    ...(["transactional", "marketing"] as const).map((mailClass) => {
      const opensAt = notBefore(mailClass);
      const next = Math.max(opensAt, nextDue(sql, mailClass));
      return opensAt <= now ? next : Math.min(next, nextDue(sql, mailClass, now));
    }),
  );

const NO_ANSWER = "no sender took it in time";

/**
 * Gives up on mail after 24 h, because sign-in tokens must not stay stored. Holds and waits for send limits do not
 * count.
 */
export const expireSends = (sql: SqlStorage, now: number, limit: number): void => {
  ensureOldRows(sql, now - GIVE_UP_MS);
  holdMail(sql, now, limit);
  for (const mailClass of ["transactional", "marketing"]) {
    const fullUntil = mailClass === "marketing" ? Math.min(now, readFullUntil(sql, now)) : 0;
    const expired = sql
      .exec<{ n: number; state: string; attempts: number; recipient: string; created_at: number }>(
        `UPDATE sends SET state = CASE state WHEN 'queued' THEN 'failed' ELSE 'unknown' END, due = NULL,
           error = coalesce(error, '${NO_ANSWER}'), variables = NULL, settled_at = ?
         WHERE NOT coalesce(${IS_HELD}, 0) AND n IN (SELECT n FROM (SELECT n, coalesce(may_leave_at, created_at) + iif(state = 'queued', max(? - due, 0), 0) AS started_at FROM sends
             WHERE class = ? AND due <= ? ORDER BY due LIMIT ?)
           WHERE started_at <= ?) RETURNING n, state, attempts, recipient, created_at`,
        now,
        fullUntil,
        mailClass,
        now,
        limit,
        now - GIVE_UP_MS,
      )
      .toArray();
    for (const mail of expired) {
      if (mail.state !== "failed") {
        // A person may have it sent again, and then cancel it.
        if (!eventsOf(sql, mail.n).some(({ kind }) => kind === "unknown"))
          noteEvents({ sql, now }, mail.n, { kind: "unknown", detail: { attempt: mail.attempts, message: NO_ANSWER } });
        continue;
      }
      if (wasDeferredByMailbox(sql, mail.n)) refusedByMailbox({ sql, now }, mail);
      reportMail({ sql, now }, "email.softBounced", mail.n);
    }
  }
};

const wasDeferredByMailbox = (sql: SqlStorage, n: number): boolean => {
  const last = eventsOf(sql, n).findLast(({ kind }) => kind === "deferred");
  return last !== undefined && JSON.parse(last.detail).about === "mailbox";
};
