import type { MailClass } from "../../types/mail-handover.ts";
import type { Claim } from "../../types/mailer-rpc.ts";

type Clock = { sql: SqlStorage; now: number };

const ASK_AGAIN_MS = 30_000;
const SEARCHED = 1_000;
/** A clock set back may have hidden a lease, so a search restarts after this time. */
const SEARCH_AGAIN_MS = 600_000;

type LeasePosition = { due: number; n: number };

/** The progress of a lease search, so that a backlog is read once. */
export type Searched = { startedAt: number; at: number } & Record<MailClass, LeasePosition>;

const END = Number.MAX_SAFE_INTEGER;
const FIRST: LeasePosition = { due: -1, n: -1 };

export const nothingSearched = (): Searched => ({ startedAt: 0, at: 0, transactional: FIRST, marketing: FIRST });

/** Returns claims with an expired lease, by Mailer, and advances `searched`. They are checked again after 30 s. */
export const lostClaims = ({ sql, now }: Clock, searched: Searched, limit: number): Map<string, Claim[]> => {
  if (now < searched.at || now - searched.startedAt > SEARCH_AGAIN_MS)
    Object.assign(searched, nothingSearched(), { startedAt: now });
  searched.at = now;
  const found = (["transactional", "marketing"] as const).flatMap((mailClass) => {
    const { claims, position } = searchOn({ sql, now }, mailClass, searched[mailClass], limit);
    searched[mailClass] = position;
    return claims;
  });
  const listed = JSON.stringify(found.map(({ n }) => n));
  if (found.length > 0)
    sql.exec("UPDATE sends SET due = ? WHERE n IN (SELECT value FROM json_each(?))", now + ASK_AGAIN_MS, listed);
  return Map.groupBy(found, ({ mailer }) => mailer);
};

/** Returns open claims of workflows and campaigns, by Mailer. `lease`: ms. */
export const claimsOf = ({ sql, now }: Clock, origins: readonly string[], lease: number): Map<string, Claim[]> => {
  const found = sql
    .exec<Claim & { mailer: string }>(
      `SELECT n, attempts AS attempt, mailer FROM sends WHERE class = 'marketing' AND due <= ? AND state = 'sending'
         AND origin IN (SELECT value FROM json_each(?))`,
      now + lease,
      JSON.stringify(origins),
    )
    .toArray();
  const claims = Map.groupBy(found, ({ mailer }) => mailer);
  return new Map([...claims].map(([name, some]) => [name, some.map(({ n, attempt }) => ({ n, attempt }))]));
};

export const isBehind = ({ transactional, marketing }: Searched): boolean =>
  transactional.n !== END || marketing.n !== END;

type Found = Claim & { mailer: string };

const searchOn = (
  { sql, now }: Clock,
  mailClass: MailClass,
  from: LeasePosition,
  limit: number,
): { claims: Found[]; position: LeasePosition } => {
  const read = (range: string, ...bounds: number[]) =>
    sql
      .exec<Found & LeasePosition & { state: string }>(
        `SELECT n, attempts AS attempt, mailer, due, state FROM sends WHERE class = ? AND ${range} ORDER BY due, n LIMIT ?`,
        mailClass,
        ...bounds,
      )
      .toArray();
  // SQLite seeks each of two queries, but for (due, n) > (?, ?) it reads all rows with equal `due`.
  const rows = read("due = ? AND n > ?", from.due, from.n, SEARCHED);
  rows.push(...read("due > ? AND due <= ?", from.due, now, SEARCHED - rows.length));
  const lost = rows.filter(({ state }) => state === "sending").slice(0, limit);
  const claims = lost.map(({ n, attempt, mailer }) => ({ n, attempt, mailer }));
  const last = lost.length === limit ? lost.at(-1) : rows[SEARCHED - 1];
  return { claims, position: last ? { due: last.due, n: last.n } : { due: now, n: END } };
};
