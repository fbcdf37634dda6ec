import { DAY_MS, HOUR_MS, instantOfWall, looksLikeSeconds, MINUTE_MS, toIsoDate } from "../../../lib/util/dates.ts";

/**
 * A filter time: Unix ms, or ms relative to the evaluation. `ofDays`: the bound for stored days
 * alone, which begin at 00:00 UTC in every time zone.
 */
export type Instant = { at: number; ofDays?: number } | { fromNow: number };

/** A filter date from its first to its last ms: equal unless it is a day alone. */
export type Span = { first: Instant; last: Instant };

/** The bound is about a hundred years, in ms. */
const MAX_DISTANCE = 36_500 * DAY_MS;

/** Months and years have no fixed length, so they are excluded. */
const RELATIVE = /^([+-]?)P(?=[\dT])(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?)?$/;
const LIKE_RELATIVE = /^[+-]?P/i;

/** Text comparison needs four-digit years; one ms is spare on both sides. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T00:00:00Z");

export const timeOf = (instant: Instant, now: number): number => ("at" in instant ? instant.at : now + instant.fromNow);

/** Like `timeOf`, for the comparison with a day alone. */
export const timeOfDays = (instant: Instant, now: number): number =>
  "at" in instant ? (instant.ofDays ?? instant.at) : now + instant.fromNow;

export const moved = (instant: Instant, ms: number): Instant => {
  if (!("at" in instant)) return { fromNow: instant.fromNow + ms };
  const { at, ofDays } = instant;
  return { at: at + ms, ...(ofDays === undefined ? {} : { ofDays: ofDays + ms }) };
};

const DAY_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}(?:[T ](?!.*(?:Z|[+-]\d{2}:?\d{2})$).*)?$/i;

/** The years of four digits end here, with a ms to spare. */
const END = LAST + DAY_MS - 2;

const startOf = (day: number, timeZone: string): Instant => {
  const ofDays = Math.min(day, END);
  return timeZone === "UTC" ? { at: ofDays } : { at: Math.min(instantOfWall(day, timeZone), END), ofDays };
};

/**
 * Reads a filter date: ISO 8601, Unix ms, or a duration from now such as `-P30D`. A day alone, and a time without an
 * offset, are of the time zone. Returns a string as the error.
 */
export const readSpan = (value: unknown, timeZone: string): Span | string => {
  const instant = readInstant(value);
  if (typeof instant === "string") return instant;
  if (typeof value !== "string" || !("at" in instant) || !WITHOUT_OFFSET.test(value))
    return { first: instant, last: instant };
  if (!DAY_ALONE.test(value)) {
    const at = { at: instantOfWall(instant.at, timeZone) };
    return { first: at, last: at };
  }
  return { first: startOf(instant.at, timeZone), last: moved(startOf(instant.at + DAY_MS, timeZone), -1) };
};

const readInstant = (value: unknown): Instant | string => {
  if (typeof value !== "string" && typeof value !== "number") return "must be a date: ISO 8601 or Unix milliseconds";
  if (typeof value === "string" && LIKE_RELATIVE.test(value)) return readRelative(value);
  if (looksLikeSeconds(value)) {
    return looksLikeSeconds(value * 1000)
      ? `${value} is a date before 1973 or no date. Send milliseconds, or ISO 8601 for a date before 1973`
      : `${value} looks like Unix seconds. Send milliseconds (${value * 1000}), or ISO 8601 for a date before 1973`;
  }
  const iso = toIsoDate(value);
  if (iso === undefined) return "must be a date: ISO 8601, Unix milliseconds, or relative to now, such as -P30D";
  const at = Date.parse(iso);
  return at >= FIRST && at <= LAST ? { at } : "must be a date of the years 1 to 9999";
};

const readRelative = (value: string): Instant | string => {
  const [, sign, weeks = "0", days = "0", hours = "0", minutes = "0"] = RELATIVE.exec(value) ?? [];
  if (sign === undefined) {
    return "must be a duration of weeks, days, hours and minutes, such as -P30D (30 days ago), P2W or -PT12H";
  }
  const ms = (Number(weeks) * 7 + Number(days)) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  if (ms > MAX_DISTANCE) return "must be at most 36500 days from now";
  // A negative zero would change in JSON.
  return { fromNow: sign === "-" && ms > 0 ? -ms : ms };
};
