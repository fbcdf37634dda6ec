import type { Candidate, PutOff } from "../limits/limits.ts";

/** Most characters of a reason in the row of a mail. */
export const MAX_REPLY = 500;

/**
 * `due` of held mail is the `n` of the workflow that it waits for. As Unix ms that is a time in the far future, so held mail is never
 * due, and the index of `due` finds it by its workflow.
 */
const HELD_FROM = 1e14;

/** True for the `due` of a mail that its workflow holds. */
export const isHeld = (due: number): boolean => due >= HELD_FROM;

/** What sends marketing mail: the `origin` of a mail, with `n` of its row. */
type Origin = { id: string; n: number };

/** SQL of the origins that hold mail, with their states. Mail waits while its origin is `held`. */
const ORIGINS = `(SELECT id, n, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN status = 'Sending' THEN 'sending' ELSE 'held' END
  AS state FROM workflows)`;

type OriginState = "sending" | "held" | "deleted";

/** Gives the state of an origin by its id. Each is read once. Its row may be deleted already. */
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

/** Puts mail aside whose workflow is paused, so that it does not stand before other mail. Looks at the `limit` mails that are due first. */
export const holdMail = (sql: SqlStorage, now: number, limit: number): void => {
  sql.exec(
    `UPDATE sends SET due = origins.n FROM ${ORIGINS} AS origins
     WHERE origins.id = sends.origin AND origins.state = 'held' AND sends.n IN
       (SELECT n FROM sends WHERE class = 'marketing' AND due <= ? AND state = 'queued' ORDER BY due LIMIT ?)`,
    ...[now, limit],
  );
};

const HELD_BY = "SELECT n FROM sends WHERE class = 'marketing' AND due = ? AND origin = ? AND state = 'queued' LIMIT ?";

/** Makes the next held mails of an origin due. Their 24 hours start now. */
export const releaseMail = (sql: SqlStorage, { n, id }: Origin, now: number, limit: number): void => {
  sql.exec(`UPDATE sends SET due = ?, may_leave_at = ? WHERE n IN (${HELD_BY})`, now, now, n, id, limit);
};

/** Ends the next held mails of a deleted workflow. Returns how many rows it wrote. */
export const endHeld = (sql: SqlStorage, { n, id }: Origin, now: number, limit: number): number =>
  sql.exec(
    `UPDATE sends SET state = 'not_sent', due = NULL, variables = NULL, error = 'workflow_deleted', settled_at = ?
     WHERE n IN (${HELD_BY})`,
    ...[now, n, id, limit],
  ).rowsWritten;

/** Workflows that are sending, and still have held mail. */
export const holding = (sql: SqlStorage): Origin[] =>
  sql
    .exec<Origin>(
      `SELECT id, n FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL
         AND EXISTS (SELECT 1 FROM sends WHERE class = 'marketing' AND due = workflows.n)`,
    )
    .toArray();

/** How many mails a paused workflow (its `n`) holds. A mail that waits for a retry is held when it is due. */
export const countHeld = (sql: SqlStorage, n: number): number =>
  sql.exec<{ held: number }>("SELECT count(*) AS held FROM sends WHERE class = 'marketing' AND due = ?", n).one().held;

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
      ...[due, reason.slice(0, MAX_REPLY), start, n],
    );
  }
  return taken;
};
