import { MINUTE_MS } from "../../../lib/util/dates.ts";
import { WIDE_WINDOW } from "../../policy/campaigns/next-step.ts";
import type { MailClass } from "../../types/mail.ts";
import { END_WAITING } from "../core/ending.ts";
import type { Candidate, PutOff } from "../limits/limits.ts";

/** Most characters of a reason in the row of a mail. */
export const MAX_REPLY = 500;
/** Due mails among which a claim looks for those that go before campaigns: as many as one campaign has in the queue at most. */
const LOOKED_AT = WIDE_WINDOW;

/**
 * `due` of held mail is the `n` of the workflow or campaign that it waits for. As Unix ms that is a time in the far future, so held mail is
 * never due, and the index of `due` finds it by its origin.
 */
const HELD_FROM = 1e14;

/** True for the `due` of a mail that its workflow or campaign holds. */
export const isHeld = (due: number): boolean => due >= HELD_FROM;

/** What sends marketing mail: the `origin` of a mail, with `n` of its row. */
type Origin = { id: string; n: number };

/** SQL of the states of all origins. Mail waits while its origin is `held`, and is never sent when that is `deleted` or `cancelled`. */
const ORIGINS = `(SELECT id, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN status = 'Sending' THEN 'sending' ELSE 'held' END AS state
    FROM workflows
  UNION ALL SELECT id, CASE WHEN state = 'cancelled' THEN state WHEN state IN ('paused', 'held') THEN 'held' ELSE 'sending' END FROM campaigns)`;

/** SQL of the origins whose mail waits. */
const HELD_ORIGINS = `(SELECT id, n FROM workflows WHERE status <> 'Sending' AND deleted_at IS NULL
  UNION ALL SELECT id, n FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND state IN ('paused', 'held'))`;

/** SQL that is true for a row of `sends` whose mail waits for its workflow or campaign. */
export const IS_HELD = `state = 'queued' AND origin IN (SELECT id FROM ${HELD_ORIGINS})`;

type OriginState = "sending" | "held" | "deleted" | "cancelled";

/** Why mail of an origin in this state is not sent. */
export const ENDED = { deleted: "workflow_deleted", cancelled: "campaign_cancelled" } as const;

/** Gives the state of an origin by its id. Each is read once. The row of a workflow may be deleted already. */
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

/**
 * Puts mail aside whose workflow or campaign is paused, so that it does not stand before other mail. Looks at the `limit` mails that are due
 * first.
 */
export const holdMail = (sql: SqlStorage, now: number, limit: number): void => {
  const first = `origins.id = sends.origin AND sends.n IN
    (SELECT n FROM sends WHERE class = 'marketing' AND due <= ? AND state = 'queued' ORDER BY due LIMIT ?)`;
  // A mail whose contact was deleted while it was in flight would wait, and keep the address, for as long as the pause.
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

/** A workflow or campaign that goes on and has held mail. `hasDoubt`: 1 for a campaign of which a relay has refused mails that wait, and others may never have been tried. */
type Holding = Origin & { hasDoubt: number };

/** So long the mails of a campaign with doubt that were tried before wait after its resume, in ms. */
const DOUBT_MS = MINUTE_MS;
/** SQL that is true for a mail that no relay has answered for. One that a Mailer gave back counts an attempt, and has no answer. */
const IS_UNTRIED = "(attempts = 0 OR error IS NULL)";

/**
 * Makes the next held mails of an origin due. Their 24 hours start now. Where a relay has refused some, the others go first, and show whether
 * it takes mail: else a long row of refused mails would stand before them after each resume.
 */
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

/** Ends the next held mails of a deleted workflow. Returns how many rows it wrote. */
export const endHeld = (sql: SqlStorage, { n, id }: Origin, now: number, limit: number): number =>
  sql.exec(`UPDATE sends SET ${END_WAITING} WHERE n IN (${HELD_BY})`, "workflow_deleted", now, n, id, limit)
    .rowsWritten;

/** Ends the next mails of a deleted workflow that wait for another attempt. Reads the whole queue. Returns how many rows it wrote. */
export const endQueued = (sql: SqlStorage, { id }: Pick<Origin, "id">, now: number, limit: number): number =>
  sql.exec(
    `UPDATE sends SET ${END_WAITING} WHERE n IN
       (SELECT n FROM sends WHERE class = 'marketing' AND due IS NOT NULL AND origin = ? AND state = 'queued' LIMIT ?)`,
    "workflow_deleted",
    now,
    id,
    limit,
  ).rowsWritten;

/** Workflows and campaigns that are sending, and still have held mail. */
export const holding = (sql: SqlStorage): Holding[] =>
  sql
    .exec<Holding>(
      `SELECT id, n, hasDoubt FROM (SELECT id, n, 0 AS hasDoubt FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL
         UNION ALL SELECT id, n, refusals IS NOT NULL AND json_extract(refusals, '$.again') IS NULL FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND state IN ('snapshot', 'sending')) AS origins
       WHERE EXISTS (SELECT 1 FROM sends WHERE class = 'marketing' AND due = origins.n AND origin = origins.id)`,
    )
    .toArray();

/** Mails of an origin that wait for the same reason, in words. `until`: when the first of them is due, in Unix ms. */
type Wait = { reason: string; mails: number; until: number };

/** Most waiting mails that are looked at for the reasons why they wait: about a millisecond. */
const EXPLAINED = 1_000;

/** Why mails of an origin (its id) wait although they may be sent: for limits and next attempts. The most frequent reasons of the next mails. */
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

/** Decides which mails are claimed and which wait. */
export type Sieve = (mails: readonly Candidate[]) => { taken: number[]; putOff: PutOff[] };

/** The mails that no limit keeps waiting. The others are put off: a mail that waits must not stand before others. */
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
  for (const { n, due, reason, isNotLate } of putOff) {
    const start = isNotLate ? due : null;
    sql.exec(
      `UPDATE sends SET due = ?, error = ?, may_leave_at = iif(attempts = 0, coalesce(?, may_leave_at), may_leave_at) WHERE n = ?`,
      due,
      reason.slice(0, MAX_REPLY),
      start,
      n,
    );
  }
  return taken;
};

type Clock = { sql: SqlStorage; now: number };

/** Ends a mail that waits, without another attempt. */
export const endWaiting = ({ sql, now }: Clock, n: number, reason: string): void => {
  sql.exec(`UPDATE sends SET ${END_WAITING} WHERE n = ?`, reason, now, n);
};

/**
 * Ends a mail that waits again after it was in flight, where its workflow was deleted or its campaign cancelled meanwhile. No claim may come to
 * it for hours, because of a send limit or of a relay that does not answer.
 *
 * @returns whether it has ended
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

/** A mail that waits. `origin`: id of its workflow or campaign. */
export type Waiting = { n: number; recipient: string; origin: string | null };

/** Those of these new mails that still wait. */
export const newMails = ({ sql }: Clock, numbers: readonly number[]): Waiting[] =>
  sql
    .exec<Waiting>(
      "SELECT n, recipient, origin FROM sends WHERE n IN (SELECT value FROM json_each(?)) AND state = 'queued'",
      JSON.stringify(numbers),
    )
    .toArray();

/** The next mails of a class that are due. With `areFew`, mail of campaigns goes behind other mail. */
export const dueMails = (clock: Clock, wanted: Wanted, limit: number): Waiting[] => {
  if (!wanted.areFew) return nextMails(clock, wanted, limit);
  const first = mailsBefore(clock, wanted, limit, "coalesce(origin, '') NOT GLOB 'cmp_*'");
  return [...first, ...mailsBefore(clock, wanted, limit - first.length, "origin GLOB 'cmp_*'")];
};

/** The due mails with an origin like this. A subquery with a limit reads no row more than it must. */
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
