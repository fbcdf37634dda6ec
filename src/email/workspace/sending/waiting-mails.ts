import { MINUTE_MS } from "../../../lib/util/dates.ts";
import { WIDE_WINDOW } from "../../policy/campaigns/next-step.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import { END_WAITING } from "../core/end-mail-sql.ts";
import type { Candidate, PutOff } from "../limits/limits.ts";

export const MAX_REPLY = 500;
const LOOKED_AT = WIDE_WINDOW;

/** `due` of held mail is its origin's `n`, a far future time. The index of `due` finds held mail by origin. */
const HELD_FROM = 1e14;

export const isHeld = (due: number): boolean => due >= HELD_FROM;

type Origin = { id: string; n: number };

/** Mail waits while its origin is `held`, and is never sent when it is `deleted` or `cancelled`. */
const ORIGINS = `(SELECT id, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN status = 'Sending' THEN 'sending' ELSE 'held' END AS state
    FROM workflows
  UNION ALL SELECT id, CASE WHEN state = 'cancelled' THEN state WHEN state IN ('paused', 'held') THEN 'held' ELSE 'sending' END FROM campaigns)`;

const HELD_ORIGINS = `(SELECT id, n FROM workflows WHERE status <> 'Sending' AND deleted_at IS NULL
  UNION ALL SELECT id, n FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND state IN ('paused', 'held'))`;

/** SQL that is true for mail held by its workflow or campaign. */
export const IS_HELD = `state = 'queued' AND origin IN (SELECT id FROM ${HELD_ORIGINS})`;

type OriginState = "sending" | "held" | "deleted" | "cancelled";

export const ENDED = { deleted: "workflow_deleted", cancelled: "campaign_cancelled" } as const;

/** Reads each origin's state once. A workflow's row may already be deleted. */
export const createOrigins = (sql: SqlStorage) => {
  const known = new Map<string, OriginState>();
  const read = (id: string): OriginState =>
    sql.exec<{ state: OriginState }>(`SELECT state FROM ${ORIGINS} WHERE id = ?`, id).toArray()[0]?.state ??
    (id.startsWith("wfl_") ? "deleted" : "sending");
  return (id: string): OriginState => {
    const state = known.get(id) ?? read(id);
    known.set(id, state);
    return state;
  };
};

/** Holds the first `limit` due mails of paused origins, so that other mail passes. */
export const holdMail = (sql: SqlStorage, now: number, limit: number): void => {
  const first = `origins.id = sends.origin AND sends.n IN
    (SELECT n FROM sends WHERE class = 'marketing' AND due <= ? AND state = 'queued' ORDER BY due LIMIT ?)`;
  // A mail of a deleted contact would wait and keep the address during the pause.
  sql.exec(
    `UPDATE sends SET ${END_WAITING} FROM ${HELD_ORIGINS} AS origins WHERE sends.contact IS NULL AND ${first}`,
    "contact_deleted",
    now,
    now,
    limit,
  );
  sql.exec(`UPDATE sends SET due = origins.n FROM ${HELD_ORIGINS} AS origins WHERE ${first}`, now, limit);
};

const HELD_BY = "SELECT n FROM sends WHERE class = 'marketing' AND due = ? AND origin = ? AND state = 'queued' LIMIT ?";

/** `hasDoubt`: 1 if a provider refused waiting mails of the campaign and others may be untried. */
type Holding = Origin & { hasDoubt: number };

const DOUBT_MS = MINUTE_MS;
/** A mail returned by a Mailer counts an attempt without an answer. */
const IS_UNTRIED = "(attempts = 0 OR error IS NULL)";

/** Releases held mails and starts their 24 hours. Untried mails go first to test a provider after refusals. */
export const releaseMail = (
  sql: SqlStorage,
  { n, id, hasDoubt }: Origin & Partial<Holding>,
  now: number,
  limit: number,
): void => {
  const later = hasDoubt === 1 ? now + DOUBT_MS : now;
  sql.exec(
    `UPDATE sends SET due = iif(${IS_UNTRIED}, ?, ?), may_leave_at = ? WHERE n IN (${HELD_BY})`,
    now,
    later,
    now,
    n,
    id,
    limit,
  );
};

/** Ends held mails of a deleted workflow and returns the rows written. */
export const endHeld = (sql: SqlStorage, { n, id }: Origin, now: number, limit: number): number =>
  sql.exec(`UPDATE sends SET ${END_WAITING} WHERE n IN (${HELD_BY})`, "workflow_deleted", now, n, id, limit)
    .rowsWritten;

/** Ends a deleted workflow's retries and returns the rows written. Reads the whole queue. */
export const endQueued = (sql: SqlStorage, { id }: Pick<Origin, "id">, now: number, limit: number): number =>
  sql.exec(
    `UPDATE sends SET ${END_WAITING} WHERE n IN
       (SELECT n FROM sends WHERE class = 'marketing' AND due IS NOT NULL AND origin = ? AND state = 'queued' LIMIT ?)`,
    "workflow_deleted",
    now,
    id,
    limit,
  ).rowsWritten;

export const holding = (sql: SqlStorage): Holding[] =>
  sql
    .exec<Holding>(
      `SELECT id, n, hasDoubt FROM (SELECT id, n, 0 AS hasDoubt FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL
         UNION ALL SELECT id, n, refusals IS NOT NULL AND json_extract(refusals, '$.again') IS NULL FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND state IN ('snapshot', 'sending')) AS origins
       WHERE EXISTS (SELECT 1 FROM sends WHERE class = 'marketing' AND due = origins.n AND origin = origins.id)`,
    )
    .toArray();

/** Makes mails due that wait for a reason, the next ones first; others follow at their time. */
export const makeDue = (sql: SqlStorage, reason: string, now: number): void => {
  sql.exec(
    `UPDATE sends SET due = ?1, may_leave_at = ?1 WHERE error = ?2 AND n IN
       (SELECT n FROM sends WHERE class = 'marketing' AND due > ?1 AND due < ?3 AND state = 'queued' ORDER BY due LIMIT ?4)`,
    now,
    reason,
    HELD_FROM,
    LOOKED_AT,
  );
};

type Wait = { reason: string; mails: number; until: number };

const EXPLAINED = 1_000;

/** Returns the most frequent wait reasons of an origin's next mails. */
export const reasonsToWait = (sql: SqlStorage, origin: string, now: number): Wait[] =>
  sql
    .exec<Wait>(
      `SELECT error AS reason, count(*) AS mails, min(due) AS until FROM
         (SELECT error, due, origin FROM sends WHERE class = 'marketing' AND due > ? AND due < ? AND state = 'queued' ORDER BY due LIMIT ?)
       WHERE origin = ? AND error IS NOT NULL GROUP BY error ORDER BY mails DESC LIMIT 3`,
      now,
      HELD_FROM,
      EXPLAINED,
      origin,
    )
    .toArray();

export type Sieve = (mails: readonly Candidate[]) => { taken: number[]; putOff: PutOff[] };

/** Delays limited mails, so that they do not block others. */
export const withinLimits = (
  sql: SqlStorage,
  sieve: Sieve | undefined,
  numbers: readonly number[],
): readonly number[] => {
  if (!sieve || numbers.length === 0) return numbers;
  const mails = sql
    .exec<Omit<Candidate, "waited"> & { waited: number }>(
      `SELECT n, recipient, message_id AS messageId, attempts, error IS NOT NULL AS waited FROM sends
       WHERE n IN (SELECT value FROM json_each(?)) AND state = 'queued' ORDER BY due, n`,
      JSON.stringify(numbers),
    )
    .toArray();
  const { taken, putOff } = sieve(mails.map((mail) => ({ ...mail, waited: mail.waited === 1 })));
  for (const { n, due, reason, isNotLate, again } of putOff) {
    const start = isNotLate ? due : null;
    sql.exec(
      `UPDATE sends SET due = ?, error = ?, may_leave_at = iif(attempts = 0 OR ?, coalesce(?, may_leave_at), may_leave_at) WHERE n = ?`,
      due,
      reason.slice(0, MAX_REPLY),
      again ? 1 : 0,
      start,
      n,
    );
  }
  return taken;
};

type Clock = { sql: SqlStorage; now: number };

export const endWaiting = ({ sql, now }: Clock, n: number, reason: string): void => {
  sql.exec(`UPDATE sends SET ${END_WAITING} WHERE n = ?`, reason, now, n);
};

/**
 * Ends a waiting mail if its workflow was deleted or its campaign cancelled in flight.
 *
 * @returns true if ended
 */
export const endIfOver = ({ sql, now }: Clock, { n, origin }: { n: number; origin: string | null }): boolean => {
  const state = origin === null ? "sending" : createOrigins(sql)(origin);
  if (state === "sending" || state === "held") return false;
  return (
    sql
      .exec(`UPDATE sends SET ${END_WAITING} WHERE n = ? AND state = 'queued' RETURNING 1`, ENDED[state], now, n)
      .toArray().length > 0
  );
};

type Wanted = { mailClass: MailClass; areFew?: boolean };

export type Waiting = { n: number; recipient: string; origin: string | null };

/** Returns the next due mails. With `areFew`, campaign mail comes last. */
export const dueMails = (clock: Clock, wanted: Wanted, limit: number): Waiting[] => {
  if (!wanted.areFew) return nextMails(clock, wanted, limit);
  const first = mailsBefore(clock, wanted, limit, "coalesce(origin, '') NOT GLOB 'cmp_*'");
  return [...first, ...mailsBefore(clock, wanted, limit - first.length, "origin GLOB 'cmp_*'")];
};

const mailsBefore = ({ sql, now }: Clock, { mailClass }: Wanted, limit: number, origin: string): Waiting[] =>
  sql
    .exec<Waiting>(
      `SELECT n, recipient, origin FROM (SELECT n, recipient, origin FROM sends
         WHERE class = ? AND due <= ? AND state = 'queued' ORDER BY due LIMIT ?) WHERE ${origin} LIMIT ?`,
      mailClass,
      now,
      LOOKED_AT,
      limit,
    )
    .toArray();

const nextMails = ({ sql, now }: Clock, { mailClass }: Wanted, limit: number): Waiting[] =>
  sql
    .exec<Waiting>(
      "SELECT n, recipient, origin FROM sends WHERE class = ? AND due <= ? AND state = 'queued' ORDER BY due LIMIT ?",
      mailClass,
      now,
      limit,
    )
    .toArray();
