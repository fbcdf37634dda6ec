import { DAY_MS } from "../../../lib/util/dates.ts";
import { nextNumber } from "../core/numbers.ts";

/** How long a server is believed after a person said that its addresses do not exist. */
const BELIEVED_MS = 7 * DAY_MS;

export type Decision = "suppress" | "resend" | "keep";

/** `at`, `decisionAt`: Unix ms. `cursor`: last send (n) that the decision reached, null if all. `leftOut`: by reason. */
export type Wave = {
  n: number;
  destination: string;
  cause: string;
  at: number;
  mails: number;
  decision: Decision | null;
  decisionAt: number | null;
  cursor: number | null;
  changed: number;
  leftOut: Readonly<Record<string, number>>;
};

type Row = Omit<Wave, "leftOut"> & { leftOut: string };

const WAVES = `SELECT n, destination, cause, at, mails, decision, decision_at AS decisionAt, cursor, changed,
    left_out AS leftOut FROM waves`;

const read = (sql: SqlStorage, rest: string, ...values: (string | number)[]): Wave[] =>
  sql
    .exec<Row>(`${WAVES} ${rest}`, ...values)
    .toArray()
    .map(({ leftOut, ...row }) => ({ ...row, leftOut: JSON.parse(leftOut) }));

export const waveId = (n: number): string => `wav_${n.toString(36)}`;

export const findWave = (sql: SqlStorage, id: string): Wave | undefined => {
  const [, written] = /^wav_([0-9a-z]{1,11})$/.exec(id) ?? [];
  return written === undefined ? undefined : waveInRow(sql, Number.parseInt(written, 36));
};

export const waveInRow = (sql: SqlStorage, n: number): Wave | undefined => read(sql, "WHERE n = ?", n)[0];

/** Returns the newest wave with a mail (n). */
export const waveOfMail = (sql: SqlStorage, send: number): Wave | undefined =>
  read(
    sql,
    "WHERE EXISTS (SELECT 1 FROM wave_mails m WHERE m.wave = waves.n AND m.send = ?) ORDER BY n DESC LIMIT 1",
    send,
  )[0];

/** Newest first. */
export const listWaves = (sql: SqlStorage, before: number, limit: number): Wave[] =>
  read(sql, "WHERE n < ? ORDER BY n DESC LIMIT ?", before, limit);

/** Undecided waves, newest first. */
export const openWaves = (sql: SqlStorage, limit: number): Wave[] =>
  read(sql, "WHERE decision IS NULL ORDER BY n DESC LIMIT ?", limit);

/** The next wave with work of its decision. */
export const waveAtWork = (sql: SqlStorage): Wave | undefined =>
  read(sql, "WHERE cursor IS NOT NULL ORDER BY n LIMIT 1")[0];

/** Returns the undecided wave (n) of a destination. */
export const openWaveOf = (sql: SqlStorage, destination: string): number | undefined =>
  sql
    .exec<{ n: number }>("SELECT n FROM waves WHERE destination = ? AND decision IS NULL LIMIT 1", destination)
    .toArray()[0]?.n;

/** Undecided waves (n) by destination: marketing mail to it waits. */
export const waitingDestinations = (sql: SqlStorage): Map<string, number> =>
  new Map(
    sql
      .exec<{ destination: string; n: number }>("SELECT destination, n FROM waves WHERE decision IS NULL")
      .toArray()
      .map(({ destination, n }) => [destination, n]),
  );

export const hasOpenWaves = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM waves WHERE decision IS NULL LIMIT 1").toArray().length > 0;

/** True if a person said lately that addresses with this answer do not exist. */
export const isBelieved = (sql: SqlStorage, now: number, destination: string, cause: string): boolean =>
  sql
    .exec(
      "SELECT 1 FROM waves WHERE destination = ? AND decision = 'suppress' AND decision_at > ? AND cause = ? LIMIT 1",
      destination,
      now - BELIEVED_MS,
      cause,
    )
    .toArray().length > 0;

export const addWave = (sql: SqlStorage, now: number, destination: string, cause: string): number => {
  const n = nextNumber(sql, "waves", now);
  sql.exec("INSERT INTO waves (n, destination, cause, at) VALUES (?, ?, ?, ?)", n, destination, cause, now);
  return n;
};

/** Adds a bounced mail (n). `origin`: its campaign is held too. */
export const joinWave = (
  sql: SqlStorage,
  wave: number,
  { n, origin, at }: { n: number; origin: string | null; at: number },
): void => {
  const { rowsWritten } = sql.exec("INSERT OR IGNORE INTO wave_mails (wave, send) VALUES (?, ?)", wave, n);
  if (rowsWritten === 0) return;
  sql.exec("UPDATE waves SET mails = mails + 1, at = min(at, ?) WHERE n = ?", at, wave);
  if (origin?.startsWith("cmp_"))
    sql.exec("UPDATE campaigns SET wave = ? WHERE id = ? AND status = 'Sending' AND wave IS NULL", wave, origin);
};

/** Holds no campaign any more. */
export const leaveWave = (sql: SqlStorage, wave: number): void => {
  sql.exec("UPDATE campaigns SET wave = NULL WHERE status IN ('Scheduled', 'Sending') AND wave = ?", wave);
};

/** Mails (n) of a wave after `after`, in order. */
export const mailsOfWave = (sql: SqlStorage, wave: number, after: number, limit: number): number[] =>
  sql
    .exec<{ send: number }>(
      "SELECT send FROM wave_mails WHERE wave = ? AND send > ? ORDER BY send LIMIT ?",
      wave,
      after,
      limit,
    )
    .toArray()
    .map(({ send }) => send);

/** Records the decision. Its work begins at the first mail; `keep` has none. */
export const decideWave = (sql: SqlStorage, now: number, wave: number, decision: Decision): void => {
  sql.exec(
    "UPDATE waves SET decision = ?1, decision_at = ?2, cursor = iif(?1 = 'keep', NULL, 0) WHERE n = ?3",
    decision,
    now,
    wave,
  );
};

/** `cursor`: null at the end. */
export const keepWork = (
  sql: SqlStorage,
  { n, cursor, changed, leftOut }: Pick<Wave, "n" | "cursor" | "changed" | "leftOut">,
): void => {
  sql.exec(
    "UPDATE waves SET cursor = ?, changed = ?, left_out = ? WHERE n = ?",
    cursor,
    changed,
    JSON.stringify(leftOut),
    n,
  );
};
