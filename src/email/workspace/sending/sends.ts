import { fullJitter } from "../../../lib/util/backoff.ts";
import type { Values } from "../../lmx/fill.ts";
import type { Handover } from "../../types/mail.ts";
import { firstTime } from "../base/chore.ts";
import { type Context, wake } from "../base/context.ts";
import { DAY_MS } from "../base/retention.ts";
import { reasonNotToSend } from "./suppression.ts";

/** Lease of an attempt, in ms. After it the alarm tries the mail again. */
const LEASE_MS = 60_000;
/** How long a mail is retried, in ms. */
const GIVE_UP_MS = DAY_MS;
const BASE_MS = 1_000;
const CAP_MS = 3_600_000;
const MAX_ERROR = 500;

/** A mail that has been claimed for an attempt. */
export type Claimed = {
  n: number;
  id: string;
  revision: number;
  recipient: string;
  message_id: string;
  attempts: number;
  variables: string;
  created_at: number;
  /** 1 for a preview. */
  preview: number;
};

/** A mail to accept. `preview`: a person asked for it to look at it, so statistics leave it out. */
export type NewSend = { revision: number; recipient: string; values: Values; preview?: true };

/**
 * Writes the row of a mail, with its final Message-ID. A mail to a suppressed address gets a row too, settled as not
 * sent. `due` starts as the end of the first attempt's lease, so that an immediate send needs no second index entry.
 */
export const acceptSend = (context: Context, mail: NewSend): { id: string; state: "queued" | "not_sent" } => {
  const { sql, now, domain } = context;
  const id = context.id("snd");
  const reason = reasonNotToSend(sql, mail.recipient);
  const row = reason
    ? { state: "not_sent" as const, due: null, error: reason, variables: null, settled: now }
    : {
        state: "queued" as const,
        due: now + LEASE_MS,
        error: null,
        variables: JSON.stringify(mail.values),
        settled: null,
      };
  const { n } = sql
    .exec<{ n: number }>(
      `INSERT INTO sends (id, revision, recipient, message_id, state, attempts, due, error, variables, created_at, settled_at, preview)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?) RETURNING n`,
      ...[id, mail.revision, mail.recipient, `<${id}@${domain}>`],
      ...[row.state, row.due, row.error, row.variables, now, row.settled, mail.preview ? 1 : 0],
    )
    .one();
  if (row.due !== null) {
    context.after.sends.push(n);
    wake(context, row.due);
  }
  return { id, state: row.state };
};

/** `n` of the rows that are due: attempts with an expired lease, and retries. */
export const dueSends = (sql: SqlStorage, now: number, limit: number): number[] =>
  sql
    .exec<{ n: number }>("SELECT n FROM sends WHERE due <= ? ORDER BY due LIMIT ?", now, limit)
    .toArray()
    .map(({ n }) => n);

/** When the next mail is due, in Unix ms; infinity when none waits. */
export const nextSend = (sql: SqlStorage): number =>
  firstTime(sql, "SELECT min(due) AS at FROM sends WHERE due IS NOT NULL");

const COLUMNS = "n, id, revision, recipient, message_id, attempts, variables, created_at, preview";

/**
 * Claims a mail for one attempt: a new row, or one that is due. Undefined when another attempt has claimed it, or it is
 * settled.
 */
export const claim = (sql: SqlStorage, n: number, now: number): Claimed | undefined => {
  const free = "n = ? AND due IS NOT NULL AND ((state = 'queued' AND attempts = 0) OR due <= ?)";
  const row = sql.exec<{ due: number }>(`SELECT due FROM sends WHERE ${free}`, n, now).toArray()[0];
  if (!row) return undefined;
  // A new row has most of its lease left. Keeping `due` saves a write to its index.
  const lease = row.due - now > LEASE_MS / 2 ? "" : `, due = ${now + LEASE_MS}`;
  return sql
    .exec<Claimed>(
      `UPDATE sends SET state = 'sending', attempts = attempts + 1${lease} WHERE n = ? RETURNING ${COLUMNS}`,
      n,
    )
    .one();
};

/**
 * Settles at most `limit` mails as failed after 24 h without delivery: yesterday's sign-in link is useless, and its
 * token must not stay stored.
 */
export const expireSends = (sql: SqlStorage, now: number, limit: number): void => {
  const late = "due IS NOT NULL AND (state = 'queued' OR due <= ?) AND created_at <= ?";
  sql.exec(
    `UPDATE sends SET state = 'failed', due = NULL, error = coalesce(error, 'no sender took it in time'), variables = NULL,
       settled_at = ? WHERE n IN (SELECT n FROM sends WHERE ${late} ORDER BY due LIMIT ?)`,
    ...[now, now, now - GIVE_UP_MS, limit],
  );
};

/** Records the result of an attempt. Returns when the row is due again; undefined when it is settled. */
export const settle = (
  sql: SqlStorage,
  { n, attempts, created_at }: Claimed,
  outcome: Handover,
  now: number,
  random: number,
): number | undefined => {
  if (outcome.outcome === "accepted") {
    // The mail has left, whatever a later attempt of the same row does.
    sql.exec(
      `UPDATE sends SET state = 'sent', due = NULL, error = NULL, variables = NULL, settled_at = ?
       WHERE n = ? AND due IS NOT NULL`,
      ...[now, n],
    );
    return undefined;
  }
  const error = outcome.message.slice(0, MAX_ERROR);
  const due = now + fullJitter(attempts, random, BASE_MS, CAP_MS);
  const mine = "n = ? AND state = 'sending' AND attempts = ?";
  if (outcome.outcome === "deferred" && due - created_at < GIVE_UP_MS) {
    sql.exec(`UPDATE sends SET state = 'queued', due = ?, error = ? WHERE ${mine}`, due, error, n, attempts);
    return due;
  }
  sql.exec(
    `UPDATE sends SET state = 'failed', due = NULL, error = ?, variables = NULL, settled_at = ? WHERE ${mine}`,
    ...[error, now, n, attempts],
  );
  return undefined;
};
