import type { PropertyType } from "../contract/contact-fields.ts";
import { toIsoDate } from "../util/dates.ts";

/** The value of a property that a cell gives. */
export type Value = string | number | boolean;

const YES = new Set(["true", "yes", "y", "1", "x", "on", "subscribed"]);
const NO = new Set(["false", "no", "n", "0", "off", "unsubscribed"]);

/** The words for true and false, and nothing else. */
export const toBoolean = (cell: string): boolean | undefined => {
  const word = cell.toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
};

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

const toNumber = (cell: string): number | undefined => {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};

/** How a cell of each type is read; undefined where it is none. `must`: what it has to be. */
export const readers: Readonly<Record<PropertyType, { read(cell: string): Value | undefined; must: string }>> = {
  string: { read: (cell) => cell, must: "be a text" },
  number: { read: toNumber, must: "be a number with a point, such as 1234.5" },
  boolean: { read: toBoolean, must: "be true or false" },
  date: {
    read: (cell) => toIsoDate(/^\d{11,15}$/.test(cell) ? Number(cell) : cell),
    must: "be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, or Unix milliseconds",
  },
};

/** Digits of a number that are kept whatever they are; of a longer one the last may change. */
const SAFE_DIGITS = 15;

/** Whether a cell is what its number is written as. A code is not: 00123, +49, 1e5, 1.50 and long ids would come out changed. */
const isPlainNumber = (cell: string): boolean =>
  /^-?[\d.]+$/.test(cell) && String(toNumber(cell)) === cell && cell.replace(/^[-0.]+|\./g, "").length <= SAFE_DIGITS;

/** Words for true and false that belong together. A column of them is of a boolean: none of its words is lost, and each could be read again. */
const PAIRS = [
  ["true", "false"],
  ["yes", "no"],
  ["y", "n"],
  ["on", "off"],
  ["subscribed", "unsubscribed"],
];

/** Whether cells say true and false and nothing else: both words of one pair, or "true" or "false" alone. A code such as `x` and `y` does not. */
const areTruths = (cells: readonly string[]): boolean => {
  const words = [...new Set(cells.map((cell) => cell.toLowerCase()))];
  return (
    words.every((word) => word === "true" || word === "false") ||
    PAIRS.some((pair) => words.length === pair.length && pair.every((word) => words.includes(word)))
  );
};

/**
 * The narrowest type that keeps all cells; text where there is none, or no cell with a value. A cell that looks like a number speaks for a
 * number only as it is written back, and never for a date: a phone number without a plus is as long as Unix milliseconds. Two texts are never one value of the type.
 */
export const typeOf = (cells: readonly string[]): PropertyType => {
  const given = cells.filter((cell) => cell !== "");
  if (given.length === 0) return "string";
  if (given.every(isPlainNumber)) return "number";
  if (areTruths(given)) return "boolean";
  return given.every((cell) => toIsoDate(cell) !== undefined) ? "date" : "string";
};

/** What is stored of a cell, as text, where that is not the cell as it stands; undefined where it is, or where the cell is refused. */
export const changedBy = (type: PropertyType, cell: string): string | undefined => {
  const value = cell === "" ? undefined : readers[type].read(cell);
  return value === undefined || String(value) === cell ? undefined : String(value);
};
