import { DAY_MS } from "../../../../lib/util/dates.ts";
import { emailKey } from "../../../../lib/util/email-key.ts";
import { type Chore, firstTime } from "../../core/chore.ts";
import { RETENTION_MS } from "../../core/retention.ts";

const LIMIT = 5;
const SPAN_MS = 3 * DAY_MS;
/** Servers give up after five days, so a mail without a bounce has then arrived. */
const SILENCE_MS = 5 * DAY_MS;

type Clock = { sql: SqlStorage; now: number };
type Count = { count: number; first_at: number; last_at: number };

/**
 * Counts a soft bounce by mail time, so bounces may arrive in any order.
 *
 * @returns true to suppress the address
 */
export const countSoftBounce = (clock: Clock, mail: { recipient: string; created_at: number }): boolean => {
  const { sql } = clock;
  const key = emailKey(mail.recipient);
  const found = sql
    .exec<Count>("SELECT count, first_at, last_at FROM soft_bounces WHERE email_key = ?", key)
    .toArray()[0];
  const before = found && !hasArrived(clock, mail.recipient, found.last_at, mail.created_at) ? found : undefined;
  const count = (before?.count ?? 0) + 1;
  const first = Math.min(before?.first_at ?? mail.created_at, mail.created_at);
  const last = Math.max(before?.last_at ?? mail.created_at, mail.created_at);
  const isOver = count >= LIMIT && last - first >= SPAN_MS;
  if (isOver) endSoftBounces(sql, mail.recipient);
  else
    sql.exec(
      "INSERT OR REPLACE INTO soft_bounces (email_key, count, first_at, last_at) VALUES (?, ?, ?, ?)",
      key,
      count,
      first,
      last,
    );
  return isOver;
};

export const endSoftBounces = (sql: SqlStorage, recipient: string): void => {
  sql.exec("DELETE FROM soft_bounces WHERE email_key = ?", emailKey(recipient));
};

/** Many mail providers report only failures. */
const hasArrived = ({ sql, now }: Clock, recipient: string, after: number, before: number): boolean =>
  sql
    .exec(
      `SELECT 1 FROM sends WHERE recipient_key = ? AND state IN ('sent', 'delivered')
         AND created_at > ? AND created_at < ? AND created_at <= ? LIMIT 1`,
      emailKey(recipient),
      after,
      before,
      now - SILENCE_MS,
    )
    .toArray().length > 0;

export const chores: readonly Chore[] = [
  {
    next: (sql) => firstTime(sql, "SELECT min(last_at) AS at FROM soft_bounces") + RETENTION_MS,
    run: (sql, now, limit) => {
      sql.exec(
        `DELETE FROM soft_bounces WHERE email_key IN
           (SELECT email_key FROM soft_bounces WHERE last_at <= ? ORDER BY last_at LIMIT ?)`,
        now - RETENTION_MS,
        limit,
      );
    },
  },
];
