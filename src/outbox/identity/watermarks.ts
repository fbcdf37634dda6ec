import { readValue, saveValue } from "../../lib/util/kv.ts";
import type { Contact } from "../../rules/types.ts";
import { TRANSIT } from "../model/delivery-deadlines.ts";
import type { DeliveryRef } from "../model/journal-types.ts";
import { type ContactRow, keysOf, type RowSource, readRow } from "./identity-rows.ts";

/** Unix ms and rank of the webhook. `weakness` of a guess: 1 account, 2 purchase, 3 document. `attempt`: see `LATE`. */
export type Watermark = readonly [occurredAt: number, rank: number, weakness?: number, attempt?: number];

/** Watermarks of written values, per contact property. */
export type Watermarks = Record<string, Watermark>;

/** Watermark of a deleted contact. No property has this name. */
export const WHOLE = "";
/** Watermark of an update that linked user id and address. No property has this name. */
export const TIE = "@";
/** Watermark of a deleted account, saved at acceptance. No property has this name. */
export const GONE = "-";
/**
 * Unix ms until an unanswered request may arrive, plus `seq` and `index` of its last delivery. With the number of the
 * attempt, if it is the only such request and may still be answered.
 */
export const LATE = ">";

/** Watermark of the last customer who left for another person. No property has this name. */
export const MOVED = "<";

/** Watermark of state that is stored of a person without a contact. No property has this name. */
export const ABSENT = "!";

/** When the address was learned that an older update told, which is no newer for it. No property has this name. */
export const TOLD = "=";

const NO_VALUES: ReadonlySet<string> = new Set([GONE, LATE, MOVED, ABSENT, TOLD]);

export const readWatermarks = (sql: SqlStorage, person: string): Watermarks => {
  const row = readRow(sql, person);
  return row ? watermarksIn(row) : {};
};

export const watermarksIn = ({ watermarks }: ContactRow): Watermarks =>
  watermarks ? (JSON.parse(watermarks) as Watermarks) : {};

/** True if a link or a written value named the person before. */
export const isKnown = (from: RowSource, contact: Contact): boolean =>
  keysOf(contact).some((key) => {
    const row = readRow(from, key);
    if (!row) return false;
    const isTied = row.next_key !== null || (row.email !== null && row.strength >= 0);
    const names = Object.keys(watermarksIn(row));
    return isTied || names.length === 0 || names.some((name) => !NO_VALUES.has(name));
  });

/** True if the account was deleted after `occurredAt` (Unix ms). */
export const isGoneSince = (sql: SqlStorage, person: string, occurredAt: number): boolean =>
  (readWatermarks(sql, person)[GONE]?.[0] ?? 0) > occurredAt;

/** True if a better value exists, or the contact was deleted later. */
export const isStale = (watermarks: Watermarks, property: string, watermark: Watermark): boolean => {
  const [known, deleted] = [watermarkOf(watermarks, property), watermarkOf(watermarks, WHOLE)];
  if (deleted && isNewer(deleted, watermark)) return true;
  // A deletion removes earlier values.
  if (!known || (deleted && isNewer(deleted, known))) return false;
  const [weakness, knownWeakness] = [watermark[2] ?? 0, known[2] ?? 0];
  return weakness === knownWeakness ? isNewer(known, watermark) : weakness > knownWeakness;
};

/** Returns the watermarks of an update that links user id and address. `learnedAt`: of the address, Unix ms. */
export const tieOf = (watermark: Watermark, learnedAt: number): Watermarks => ({
  [TIE]: watermark,
  ...(learnedAt > watermark[0] ? { [TOLD]: [learnedAt, 0] } : {}),
});

/** Unix ms of the newest address that the email service has of a user; undefined if it has none. */
export const toldAt = ({ [TIE]: tied, [TOLD]: told }: Watermarks): number | undefined =>
  tied && Math.max(tied[0], told?.[0] ?? 0);

/** True if a newer value of any property exists. */
export const isOutlived = (watermarks: Watermarks, occurredAt: number, rank: number): boolean =>
  Object.entries(watermarks).some(
    ([property, known]) => !NO_VALUES.has(property) && isNewer(known, [occurredAt, rank]),
  );

const watermarkOf = (watermarks: Watermarks, property: string): Watermark | undefined =>
  Object.hasOwn(watermarks, property) ? watermarks[property] : undefined;

/** True if later, or in the same millisecond with higher rank. */
export const isNewer = (a: Watermark, b: Watermark): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

/** True for the same time and rank. */
export const isSame = (a: Watermark, b: Watermark): boolean => a[0] === b[0] && a[1] === b[1];

/** Advances a person's watermarks; older ones never replace newer ones. One row. */
export const saveWatermarks = (
  sql: SqlStorage,
  person: string,
  known: Watermarks,
  written: Watermarks,
  now: number,
  { subscriptions, customers }: { subscriptions?: object | undefined; customers?: object | undefined } = {},
): void => {
  const { [LATE]: late, ...watermarks } = known;
  const { [LATE]: added, ...values } = written;
  for (const [property, watermark] of Object.entries(values)) {
    if (!isStale(watermarks, property, watermark)) watermarks[property] = watermark;
  }
  const either = lateOfBoth(late, added, now);
  if (either) watermarks[LATE] = either;
  sql.exec(
    `INSERT INTO contacts (key, learned_at, watermarks, seen_at, subscriptions, customers) VALUES (?1, 0, ?2, ?3, ?4, ?5)
     ON CONFLICT (key) DO UPDATE SET watermarks = ?2, seen_at = ?3, subscriptions = coalesce(?4, subscriptions),
       customers = coalesce(?5, customers)`,
    person,
    JSON.stringify(watermarks),
    now,
    subscriptions === undefined ? null : JSON.stringify(subscriptions),
    customers === undefined ? null : JSON.stringify(customers),
  );
};

const lateOfBoth = (a: Watermark | undefined, b: Watermark | undefined, now: number): Watermark | undefined => {
  const [one, other] = [a, b].filter((late) => late !== undefined && late[0] > now);
  if (!one || !other) return one;
  const [, seq, index = 0] = isNewer([one[1], one[2] ?? 0], [other[1], other[2] ?? 0]) ? other : one;
  return [Math.max(one[0], other[0]), seq, index];
};

/** Returns Unix ms until a late request may undo a delivery; undefined if none. */
export const lateUntil = (watermarks: Watermarks, now: number, own?: DeliveryRef): number | undefined => {
  const [until, seq, index = 0] = watermarks[LATE] ?? [0, 0];
  if (until <= now || (own && !isNewer([own.seq, own.index], [seq, index]))) return undefined;
  // After the clock was set back, the time may be far in the future.
  return Math.min(until, now + TRANSIT);
};

/** Records that a request may still arrive. `attempt`: only until this one is answered. One row. */
export const noteLate = (
  sql: SqlStorage,
  person: string,
  { seq, index }: DeliveryRef,
  startedAt: number,
  now: number,
  attempt?: number,
): void => {
  const until = startedAt + TRANSIT;
  if (until <= now) return;
  const late: Watermark = attempt === undefined ? [until, seq, index] : [until, seq, index, attempt];
  saveWatermarks(sql, person, readWatermarks(sql, person), { [LATE]: late }, now);
};

/** Leaves out the note about the attempt that was answered now. Of other requests nothing is known. */
export const withoutAnswered = (
  watermarks: Watermarks,
  answered: readonly (DeliveryRef & { attempts: number })[],
): Watermarks => {
  const { [LATE]: late, ...others } = watermarks;
  const isAnswered = answered.some(
    ({ seq, index, attempts }) => late?.[1] === seq && late[2] === index && late[3] === attempts,
  );
  return isAnswered ? others : watermarks;
};

const LATE_OF_ERASED = "lateOfErased";

/** Records an erased delivery's late request. The person is unknown, so each erasure waits. */
export const noteLateOfErased = (sql: SqlStorage, startedAt: number, now: number): void => {
  const until = Math.max(startedAt + TRANSIT, readValue<number>(sql, LATE_OF_ERASED) ?? 0);
  if (until > now) saveValue(sql, LATE_OF_ERASED, until);
};

/** Returns Unix ms until a person's last request may arrive; undefined if none. */
export const latestOf = (sql: SqlStorage, keys: Iterable<string>, now: number): number | undefined => {
  const times = Array.from(keys, (key) => lateUntil(readWatermarks(sql, key), now) ?? 0);
  const ofErased = readValue<number>(sql, LATE_OF_ERASED) ?? 0;
  return Math.max(...times, ofErased > now ? Math.min(ofErased, now + TRANSIT) : 0) || undefined;
};
