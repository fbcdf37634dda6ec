import type { PropertyType } from "../contract/contact-fields.ts";
import type { DateOrder } from "../contract/import-choices.ts";
import { isBlank, toBoolean, wordOf } from "./consent/words.ts";
import { readDate } from "./dates.ts";

export type Value = string | number | boolean;

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

const toNumber = (cell: string): number | undefined => {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};

type Reader = { read(cell: string, order?: DateOrder): Value | undefined; must: string };

export const readers: Readonly<Record<PropertyType, Reader>> = {
  string: { read: (cell) => cell, must: "be a text" },
  number: { read: toNumber, must: "be a number with a point, such as 1234.5" },
  boolean: { read: toBoolean, must: "be true or false" },
  date: {
    read: readDate,
    must: "be a date such as 2026-01-31, 31 Jan 2026 or 2026-01-31T12:00:00Z. Dates such as 01/02/2026 need their order",
  },
};

/** Digits that are always exact; the last digit of a longer number may change. */
const SAFE_DIGITS = 15;

/** Codes such as 00123, +49, 1e5, 1.50 and long ids would change as numbers. */
const isPlainNumber = (cell: string): boolean =>
  /^-?[\d.]+$/.test(cell) && String(toNumber(cell)) === cell && cell.replace(/^[-0.]+|\./g, "").length <= SAFE_DIGITS;

const PAIRS = [
  ["true", "false"],
  ["yes", "no"],
  ["y", "n"],
  ["on", "off"],
  ["subscribed", "unsubscribed"],
  ["ja", "nein"],
  ["wahr", "falsch"],
  ["oui", "non"],
  ["vrai", "faux"],
  ["si", "no"],
  ["verdadero", "falso"],
  ["vero", "falso"],
  ["sim", "nao"],
  ["ja", "nee"],
  ["t", "f"],
];

/** Requires both words of one pair, or "true" or "false" alone. A code such as `x` and `y` is no boolean. */
const areTruths = (cells: readonly string[]): boolean => {
  const words = [...new Set(cells.map(wordOf))];
  return (
    words.every((word) => word === "true" || word === "false") ||
    PAIRS.some((pair) => words.length === pair.length && pair.every((word) => words.includes(word)))
  );
};

/**
 * Finds the narrowest type that keeps all cells, else text. Number-like cells are never dates: phone numbers have the
 * length of Unix milliseconds.
 */
export const typeOf = (cells: readonly string[]): PropertyType => {
  const given = cells.filter((cell) => !isBlank(cell));
  if (given.length === 0) return "string";
  if (given.every(isPlainNumber)) return "number";
  if (areTruths(given)) return "boolean";
  return given.every((cell) => readDate(cell, "day-first") ?? readDate(cell, "month-first")) ? "date" : "string";
};

/** Returns the stored text if it differs from the cell; else undefined. */
export const changedBy = (type: PropertyType, cell: string, order?: DateOrder): string | undefined => {
  const value = isBlank(cell) ? undefined : readers[type].read(cell, order);
  return value === undefined || String(value) === cell ? undefined : String(value);
};
