import type { Contact } from "../../rules/types.ts";
import { type ContactRow, keysOf, readRow } from "./rows.ts";

/** Per contact property: time (Unix ms) and rank of the event type of the newest value written. */
export type Watermarks = Record<string, readonly [occurredAt: number, rank: number]>;

/** The watermark of a deleted contact. No property has this name. */
export const WHOLE = "";
/** The watermark of an update with user id and address, which ties the two at the host. No property has this name. */
export const TIE = "@";
/** When the person's account was deleted, as a watermark. Saved when the webhook is accepted. No property has this name. */
export const GONE = "-";

export const readWatermarks = (sql: SqlStorage, person: string): Watermarks => {
  const row = readRow(sql, person);
  return row ? marksOf(row) : {};
};

const marksOf = ({ marks }: ContactRow): Watermarks => (marks ? (JSON.parse(marks) as Watermarks) : {});

/** True where webhooks have named the person before: by a link, or by a value that was written. */
export const isKnown = (sql: SqlStorage, contact: Contact): boolean =>
  keysOf(contact).some((key) => {
    const row = readRow(sql, key);
    if (!row) return false;
    return row.same_as !== null || row.email !== null || Object.keys(marksOf(row)).join() !== GONE;
  });

/** True where the person's account was deleted after this time (Unix ms). */
export const isGoneSince = (sql: SqlStorage, person: string, occurredAt: number): boolean =>
  (readWatermarks(sql, person)[GONE]?.[0] ?? 0) > occurredAt;

/** True when a newer value of the property was written, or the whole contact was deleted later. */
export const isStale = (watermarks: Watermarks, property: string, occurredAt: number, rank: number): boolean =>
  isOlder(watermarks, property, occurredAt, rank) || isOlder(watermarks, WHOLE, occurredAt, rank);

/** True when a newer value of any property of the person was written. */
export const isOutlived = (watermarks: Watermarks, occurredAt: number, rank: number): boolean =>
  Object.keys(watermarks).some((property) => property !== GONE && isOlder(watermarks, property, occurredAt, rank));

/** True when this is older than the watermark of the property. */
const isOlder = (watermarks: Watermarks, property: string, occurredAt: number, rank: number): boolean => {
  const watermark = Object.hasOwn(watermarks, property) ? watermarks[property] : undefined;
  return watermark !== undefined && (watermark[0] > occurredAt || (watermark[0] === occurredAt && watermark[1] > rank));
};

/** Advances the watermarks of a person; an older one never replaces a newer one. One row. */
export const saveWatermarks = (
  sql: SqlStorage,
  person: string,
  known: Watermarks,
  written: Watermarks,
  now: number,
): void => {
  const watermarks: Watermarks = { ...known };
  for (const [property, watermark] of Object.entries(written)) {
    if (!isStale(watermarks, property, watermark[0], watermark[1])) watermarks[property] = watermark;
  }
  sql.exec(
    `INSERT INTO contacts (key, told_at, marks, seen_at) VALUES (?1, 0, ?2, ?3)
     ON CONFLICT (key) DO UPDATE SET marks = ?2, seen_at = ?3`,
    ...[person, JSON.stringify(watermarks), now],
  );
};
