import type { Contact } from "../../rules/types.ts";
import { type ContactRow, keysOf, readRow } from "./rows.ts";

/**
 * Time (Unix ms) and rank of the webhook that a value comes from. `weakness` is set for a guess: 1 from an account, 2 from
 * a purchase.
 */
export type Watermark = readonly [occurredAt: number, rank: number, weakness?: number];

/** Per contact property: the watermark of the value that was written. */
export type Watermarks = Record<string, Watermark>;

/** The watermark of a deleted contact. No property has this name. */
export const WHOLE = "";
/** The watermark of an update with user id and address, which ties the two at the host. No property has this name. */
export const TIE = "@";
/** When the person's account was deleted, as a watermark. Saved when the webhook is accepted. No property has this name. */
export const GONE = "-";

export const readWatermarks = (sql: SqlStorage, person: string): Watermarks => {
  const row = readRow(sql, person);
  return row ? watermarksIn(row) : {};
};

export const watermarksIn = ({ marks }: ContactRow): Watermarks => (marks ? (JSON.parse(marks) as Watermarks) : {});

/** True where webhooks have named the person before: by a link, or by a value that was written. */
export const isKnown = (sql: SqlStorage, contact: Contact): boolean =>
  keysOf(contact).some((key) => {
    const row = readRow(sql, key);
    if (!row) return false;
    const isTied = row.same_as !== null || (row.email !== null && row.strength >= 0);
    return isTied || Object.keys(watermarksIn(row)).join() !== GONE;
  });

/** True where the person's account was deleted after this time (Unix ms). */
export const isGoneSince = (sql: SqlStorage, person: string, occurredAt: number): boolean =>
  (readWatermarks(sql, person)[GONE]?.[0] ?? 0) > occurredAt;

/** True when a better value of the property was written, or the whole contact was deleted later. */
export const isStale = (watermarks: Watermarks, property: string, watermark: Watermark): boolean => {
  const [known, deleted] = [watermarkOf(watermarks, property), watermarkOf(watermarks, WHOLE)];
  if (deleted && isNewer(deleted, watermark)) return true;
  // A value from before the deletion is gone.
  if (!known || (deleted && isNewer(deleted, known))) return false;
  const [weakness, knownWeakness] = [watermark[2] ?? 0, known[2] ?? 0];
  return weakness === knownWeakness ? isNewer(known, watermark) : weakness > knownWeakness;
};

/** True when a newer value of any property of the person was written. */
export const isOutlived = (watermarks: Watermarks, occurredAt: number, rank: number): boolean =>
  Object.entries(watermarks).some(([property, known]) => property !== GONE && isNewer(known, [occurredAt, rank]));

const watermarkOf = (watermarks: Watermarks, property: string): Watermark | undefined =>
  Object.hasOwn(watermarks, property) ? watermarks[property] : undefined;

/** True when `a` is newer than `b`: later, or in the same millisecond with a higher rank. */
export const isNewer = (a: Watermark, b: Watermark): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

/**
 * Advances the watermarks of a person; an older one never replaces a newer one. One row.
 *
 * @param subscriptions replace the stored ones, if given
 */
export const saveWatermarks = (
  sql: SqlStorage,
  person: string,
  known: Watermarks,
  written: Watermarks,
  now: number,
  subscriptions?: object,
): void => {
  const watermarks: Watermarks = { ...known };
  for (const [property, watermark] of Object.entries(written)) {
    if (!isStale(watermarks, property, watermark)) watermarks[property] = watermark;
  }
  sql.exec(
    `INSERT INTO contacts (key, told_at, marks, seen_at, subscriptions) VALUES (?1, 0, ?2, ?3, ?4)
     ON CONFLICT (key) DO UPDATE SET marks = ?2, seen_at = ?3, subscriptions = coalesce(?4, subscriptions)`,
    ...[person, JSON.stringify(watermarks), now, subscriptions === undefined ? null : JSON.stringify(subscriptions)],
  );
};
