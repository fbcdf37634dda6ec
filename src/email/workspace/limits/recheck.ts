import { DAY_MS } from "../../../lib/util/dates.ts";
import { eraseRecheck, readRechecks, writeRecheck } from "./limit-rows.ts";

const SLICE = 5_000;
const KEPT_MS = 7 * DAY_MS;

const WAITING = `due > ? AND state = 'queued' AND attempts = 0 AND may_leave_at > ? AND message_id LIKE '%@' || ? || '>'`;

/** Makes mails of a domain due that wait for their day. It does the first slice; the chore does the others. */
export const beginRecheck = (sql: SqlStorage, now: number, domain: string): void => {
  const { next, last } = sql
    .exec<{ next: number | null; last: number | null }>(
      `SELECT min(n) AS next, max(n) AS last FROM sends WHERE class IN ('transactional', 'marketing') AND ${WAITING}`,
      now,
      now,
      domain,
    )
    .one();
  if (next === null || last === null) eraseRecheck(sql, domain);
  else writeRecheck(sql, domain, { next, last }, now + KEPT_MS);
  continueRechecks(sql, now);
};

export const continueRechecks = (sql: SqlStorage, now: number): void => {
  for (const { domain, recheck } of readRechecks(sql, now)) {
    const next = recheck.next + SLICE;
    sql.exec(
      `UPDATE sends SET due = ?, may_leave_at = ? WHERE n >= ? AND n < ? AND n <= ? AND ${WAITING}`,
      now,
      now,
      recheck.next,
      next,
      recheck.last,
      now,
      now,
      domain,
    );
    if (next > recheck.last) eraseRecheck(sql, domain);
    else writeRecheck(sql, domain, { ...recheck, next }, now + KEPT_MS);
  }
};
