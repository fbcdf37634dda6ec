import { toIsoDate } from "../../../../lib/util/dates.ts";

const UNITS = { minute: "M", hour: "H", day: "D", week: "W" } as const;
type Unit = keyof typeof UNITS;
const RELATIVE = /^([+-]?)P(?:(\d+)W|(\d+)D|T(\d+)H|T(\d+)M)$/;
const AGO = /^(\d{1,6})\s*(minute|hour|day|week)s?\s+ago$/i;
const AHEAD = /^in\s+(\d{1,6})\s*(minute|hour|day|week)s?$/i;

const duration = (count: string, unit: string): string => {
  const letter = UNITS[unit.toLowerCase() as Unit];
  return `P${letter === "H" || letter === "M" ? "T" : ""}${count}${letter}`;
};

/** Converts "30 days ago" to `-P30D`. Other text stays. */
export const dateOf = (typed: string): string => {
  const text = typed.trim();
  const [, past, pastUnit = ""] = AGO.exec(text) ?? [];
  if (past !== undefined) return `-${duration(past, pastUnit)}`;
  const [, next, nextUnit = ""] = AHEAD.exec(text) ?? [];
  if (next !== undefined) return duration(next, nextUnit);
  return text;
};

/** Formats `-P30D` as "30 days ago". */
export const dateText = (value: string | number): string => {
  if (typeof value === "number") return new Date(value).toISOString();
  const [, sign, weeks, days, hours, minutes] = RELATIVE.exec(value) ?? [];
  const found: [string | undefined, Unit][] = [
    [weeks, "week"],
    [days, "day"],
    [hours, "hour"],
    [minutes, "minute"],
  ];
  const [count, unit] = found.find(([given]) => given !== undefined) ?? [];
  if (count === undefined) return value;
  const words = `${Number(count)} ${unit}${Number(count) === 1 ? "" : "s"}`;
  return sign === "-" ? `${words} ago` : `in ${words}`;
};

/** True for ISO 8601, Unix ms, or a relative date. The API checks validity. */
export const isDate = (typed: string): boolean => {
  const text = dateOf(typed);
  return (
    /^[+-]?P(?=[\dT])[\dWDTHM]+$/.test(text) ||
    (text !== "" && toIsoDate(/^\d{11,14}$/.test(text) ? Number(text) : text) !== undefined)
  );
};
