import type { MailClass } from "../../types/mail.ts";
import type { Claim } from "../../types/mailer.ts";

type Clock = { sql: SqlStorage; now: number };

/** Pause before a Mailer is asked again about claims, in ms. */
const ASK_AGAIN_MS = 30_000;
/** Most rows of a class read in one search. */
const SEARCHED = 1_000;
/** A search starts at the first row again after this time, in ms: a clock that has stepped back may have hidden a lease. */
const SEARCH_AGAIN_MS = 600_000;

/** Every row of a class up to this one has been searched: none of them is a claim whose lease is over. */
type Place = { due: number; n: number };

/** How far the due mails have been searched for leases that are over. A backlog is read once, not at every search. */
export type Searched = { startedAt: number; at: number } & Record<MailClass, Place>;

/** `n` of the place behind the last row. */
const END = Number.MAX_SAFE_INTEGER;
const FIRST: Place = { due: -1, n: -1 };

export const nothingSearched = (): Searched => ({ startedAt: 0, at: 0, transactional: FIRST, marketing: FIRST });

/**
 * Claims whose lease is over, by Mailer. They are asked about once more after 30 s, unless an answer settles them. The Mailer
 * of a claim made by an older version is "". Moves `searched`.
 */
export const lostClaims = ({ sql, now }: Clock, searched: Searched, limit: number): Map<string, Claim[]> => {
  if (now < searched.at || now - searched.startedAt > SEARCH_AGAIN_MS)
    Object.assign(searched, nothingSearched(), { startedAt: now });
  searched.at = now;
  const found = (["transactional", "marketing"] as const).flatMap((mailClass) => {
    const { claims, place } = searchOn({ sql, now }, mailClass, searched[mailClass], limit);
    searched[mailClass] = place;
    return claims;
  });
  const listed = JSON.stringify(found.map(({ n }) => n));
  if (found.length > 0)
    sql.exec("UPDATE sends SET due = ? WHERE n IN (SELECT value FROM json_each(?))", now + ASK_AGAIN_MS, listed);
  return Map.groupBy(found, ({ mailer }) => mailer ?? "");
};

/** Claims of these workflows and campaigns (ids) without a result, by Mailer. `lease`: how long a claim lasts at most, in ms. */
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

/** True when due mails were not searched yet. */
export const isBehind = ({ transactional, marketing }: Searched): boolean =>
  transactional.n !== END || marketing.n !== END;

type Found = Claim & { mailer: string | null };

const searchOn = (
  { sql, now }: Clock,
  mailClass: MailClass,
  from: Place,
  limit: number,
): { claims: Found[]; place: Place } => {
  const read = (range: string, ...bounds: number[]) =>
    sql
      .exec<Found & Place & { state: string }>(
        `SELECT n, attempts AS attempt, mailer, due, state FROM sends WHERE class = ? AND ${range} ORDER BY due, n LIMIT ?`,
        mailClass,
        ...bounds,
      )
      .toArray();
  // Two queries: SQLite seeks each, but for (due, n) > (?, ?) it reads all rows with the same `due`.
  const rows = read("due = ? AND n > ?", from.due, from.n, SEARCHED);
  rows.push(...read("due > ? AND due <= ?", from.due, now, SEARCHED - rows.length));
  const lost = rows.filter(({ state }) => state === "sending").slice(0, limit);
  const claims = lost.map(({ n, attempt, mailer }) => ({ n, attempt, mailer }));
  const last = lost.length === limit ? lost.at(-1) : rows[SEARCHED - 1];
  // Leases that begin from now on end later than now.
  return { claims, place: last ? { due: last.due, n: last.n } : { due: now, n: END } };
};
