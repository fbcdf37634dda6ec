import type { Contact } from "../../rules/types.ts";
import { readValue, saveValue } from "../model/kv.ts";
import { TRANSIT } from "../model/policy.ts";
import type { CallRef } from "../model/types.ts";
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
/**
 * Until when a request without an answer may still reach the host (Unix ms), and `seq` and `index` of the last call in it; of
 * several requests, the end of the last one and the first such call. No property has this name.
 */
export const LATE = ">";

/** Names among the watermarks that stand for no value of the contact. */
const NO_VALUES: ReadonlySet<string> = new Set([GONE, LATE]);

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
    const names = Object.keys(watermarksIn(row));
    return isTied || names.length === 0 || names.some((name) => !NO_VALUES.has(name));
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
  Object.entries(watermarks).some(
    ([property, known]) => !NO_VALUES.has(property) && isNewer(known, [occurredAt, rank]),
  );

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
  const { [LATE]: late, ...watermarks } = known;
  const { [LATE]: added, ...values } = written;
  for (const [property, watermark] of Object.entries(values)) {
    if (!isStale(watermarks, property, watermark)) watermarks[property] = watermark;
  }
  const either = lateOfBoth(late, added, now);
  if (either) watermarks[LATE] = either;
  sql.exec(
    `INSERT INTO contacts (key, told_at, marks, seen_at, subscriptions) VALUES (?1, 0, ?2, ?3, ?4)
     ON CONFLICT (key) DO UPDATE SET marks = ?2, seen_at = ?3, subscriptions = coalesce(?4, subscriptions)`,
    person,
    JSON.stringify(watermarks),
    now,
    subscriptions === undefined ? null : JSON.stringify(subscriptions),
  );
};

/** Two marks of late requests as one, which is no watermark of a value. Undefined where all have arrived or are lost. */
const lateOfBoth = (a: Watermark | undefined, b: Watermark | undefined, now: number): Watermark | undefined => {
  const [one, other] = [a, b].filter((late) => late !== undefined && late[0] > now);
  if (!one || !other) return one;
  const [, seq, index = 0] = isNewer([one[1], one[2] ?? 0], [other[1], other[2] ?? 0]) ? other : one;
  return [Math.max(one[0], other[0]), seq, index];
};

/**
 * Until when a request may still reach the host that would undo a call of the person, Unix ms; undefined if there is none.
 *
 * @param own the place of the call. A request that had it undoes nothing of it
 */
export const lateUntil = (watermarks: Watermarks, now: number, own?: CallRef): number | undefined => {
  const [until, seq, index = 0] = watermarks[LATE] ?? [0, 0];
  if (until <= now || (own && !isNewer([own.seq, own.index], [seq, index]))) return undefined;
  // After the clock was set back, the time may be far in the future.
  return Math.min(until, now + TRANSIT);
};

/**
 * Notes that a request, which started at this time, may still reach the host. One row.
 *
 * @param last the last call in the request
 */
export const noteLate = (
  sql: SqlStorage,
  person: string,
  { seq, index }: CallRef,
  startedAt: number,
  now: number,
): void => {
  const until = startedAt + TRANSIT;
  if (until <= now) return;
  saveWatermarks(sql, person, readWatermarks(sql, person), { [LATE]: [until, seq, index] }, now);
};

/** Where `noteLateOfForgotten` keeps its time. */
const LATE_OF_FORGOTTEN = "lateOfForgotten";

/**
 * Notes that a request of a forgotten call, which started at this time, may still reach the host. Of which person is not
 * known any more, so each `forget` waits for it.
 */
export const noteLateOfForgotten = (sql: SqlStorage, startedAt: number, now: number): void => {
  const until = Math.max(startedAt + TRANSIT, readValue<number>(sql, LATE_OF_FORGOTTEN) ?? 0);
  if (until > now) saveValue(sql, LATE_OF_FORGOTTEN, until);
};

/** Until when any request of a person may still reach the host, Unix ms; undefined if there is none. */
export const latestOf = (sql: SqlStorage, keys: Iterable<string>, now: number): number | undefined => {
  const times = Array.from(keys, (key) => lateUntil(readWatermarks(sql, key), now) ?? 0);
  const ofForgotten = readValue<number>(sql, LATE_OF_FORGOTTEN) ?? 0;
  return Math.max(...times, ofForgotten > now ? Math.min(ofForgotten, now + TRANSIT) : 0) || undefined;
};
