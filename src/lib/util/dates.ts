export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const isoOf = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

/** Formats Unix ms: "2026-11-22 14:00 UTC". */
export const minuteInWords = (ms: number): string => `${isoOf(ms).slice(0, 16).replace("T", " ")} UTC`;

export const secondInWords = (ms: number): string => `${isoOf(ms).slice(0, 19).replace("T", " ")} UTC`;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses a duration such as "90s", "10m", "2h" or "7d" to ms. */
export const durationIn = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
};

/** Parses "7d" ago or ISO 8601 to Unix ms. */
export const timeIn = (text = "", now: number): number | undefined => {
  const ago = durationIn(text);
  if (ago !== undefined) return now - ago;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};

/** Ms from 1970 (ECMA-262, time values). */
const MAX_TIME = 8.64e15;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** 1 January 1973 in ms. Smaller numbers are usually seconds. */
const FIRST_MS = 94_694_400_000;

export const looksLikeSeconds = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) < FIRST_MS;

/**
 * Converts ISO 8601 or Unix milliseconds to ISO 8601; UTC by default. Undefined for likely seconds and nonexistent
 * days.
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
