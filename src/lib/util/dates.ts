export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Unix ms as ISO 8601 in UTC. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

/** Unix ms to the minute: "2026-11-22 14:00 UTC". */
export const minuteInWords = (ms: number): string => `${isoOf(ms).slice(0, 16).replace("T", " ")} UTC`;

/** Unix ms to the second: "2026-11-22 14:00:30 UTC". */
export const secondInWords = (ms: number): string => `${isoOf(ms).slice(0, 19).replace("T", " ")} UTC`;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Ms of a duration such as "90s", "10m", "2h" or "7d"; undefined for anything else. */
export const durationIn = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
};

/** A time as a filter has it, "7d" ago or ISO 8601, in Unix ms; undefined for what is neither. `now`: Unix ms. */
export const timeIn = (text = "", now: number): number | undefined => {
  const ago = durationIn(text);
  if (ago !== undefined) return now - ago;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};

/** Longest distance of a date from 1970, in ms (ECMA-262, time values). */
const MAX_TIME = 8.64e15;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** 1 January 1973 in ms. A smaller number is a time in seconds much more often than one before 1973. */
const FIRST_MS = 94_694_400_000;

/** True for a number that is probably Unix seconds instead of milliseconds. */
export const looksLikeSeconds = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) < FIRST_MS;

/**
 * Converts an ISO 8601 date or Unix milliseconds to ISO 8601 in UTC; undefined for anything else, also for what looks
 * like Unix seconds. A time without an offset counts as UTC. A day that does not exist (30 February) is refused; `Date` alone would roll it over.
 */
export const toIsoDate = (value: string | number): string | undefined => {
  if (typeof value === "number") {
    return looksLikeSeconds(value) || Math.abs(value) > MAX_TIME ? undefined : isoOf(value);
  }
  const [, year = "", month = "", day = "", , , , offset] = ISO.exec(value) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (day === "" || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const text = value.replace(" ", "T");
  const time = Date.parse(text.length > 10 && offset === undefined ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : isoOf(time);
};
