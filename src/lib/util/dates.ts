import { remember } from "./remember.ts";

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

const clockOf = remember(
  (timeZone: string) =>
    new Intl.DateTimeFormat("en-US", {
      ...({ timeZone, calendar: "iso8601", hourCycle: "h23", year: "numeric", month: "numeric" } as const),
      ...({ day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const),
    }),
);

/** Returns the wall time of a time zone, as Unix ms of the same wall time in UTC. Whole seconds. */
export const wallTimeAt = (at: number, timeZone: string): number => {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const date = new Date(Date.UTC(2000, 0, 1, of("hour"), of("minute"), of("second")));
  return date.setUTCFullYear(of("year"), of("month") - 1, of("day"));
};

const candidatesOf = (wall: number, timeZone: string): number[] =>
  [wall - DAY_MS, wall + DAY_MS].map((at) => wall - (wallTimeAt(at, timeZone) - Math.floor(at / 1_000) * 1_000));

/** Returns the instants of a wall time in a time zone: none where clocks skip it, two where they show it twice. */
export const instantsOfWall = (wall: number, timeZone: string): number[] => {
  if (timeZone === "UTC") return [wall];
  const seconds = Math.floor(wall / 1_000) * 1_000;
  const found = candidatesOf(wall, timeZone).filter((at) => wallTimeAt(at, timeZone) === seconds);
  return [...new Set(found)].sort((a, b) => a - b);
};

/** Returns the first instant of a wall time in a time zone, and where clocks skip it, as much later. */
export const instantOfWall = (wall: number, timeZone: string): number =>
  instantsOfWall(wall, timeZone)[0] ?? candidatesOf(wall, timeZone)[0] ?? wall;

/** Format of a date with its time, of 24 hours on every page: "Nov 28, 2026, 13:12". */
export const MOMENT = { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" } as const;
