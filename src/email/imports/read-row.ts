import type { PropertyType } from "../../lib/contract/contact-fields.ts";
import { email as address } from "../../lib/contract/email.ts";
import { toIsoDate } from "../../lib/util/dates.ts";
import type { Column } from "./mapping.ts";
import { MAX_CELL } from "./records.ts";

type Value = string | number | boolean;

/** What a row says about a contact. An empty cell says nothing. */
export type RowValues = {
  email?: string;
  userId?: string;
  subscribed?: boolean;
  texts: Record<string, string>;
  properties: [name: string, value: Value][];
  lists: [id: string, subscribed: boolean][];
};

/** Why a row is refused. `column`: the name of the column, or "" where the whole row is meant. */
export type RowRefusal = { column: string; reason: string };

const YES = new Set(["true", "yes", "y", "1", "x", "on", "subscribed"]);
const NO = new Set(["false", "no", "n", "0", "off", "unsubscribed"]);

const toBoolean = (cell: string): boolean | undefined => {
  const word = cell.toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
};

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

const toNumber = (cell: string): number | undefined => {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};

const readers: Readonly<Record<PropertyType, { read(cell: string): Value | undefined; must: string }>> = {
  string: { read: (cell) => cell, must: "be a text" },
  number: { read: toNumber, must: "be a number with a point, such as 1234.5" },
  boolean: { read: toBoolean, must: "be true or false" },
  date: {
    read: (cell) => toIsoDate(/^\d{11,15}$/.test(cell) ? Number(cell) : cell),
    must: "be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, or Unix milliseconds",
  },
};

/**
 * Reads a row. A refusal never quotes a value: the outcome file is kept longer than a contact may be.
 *
 * @param width the number of columns of the file
 */
export const readRow = (
  columns: readonly Column[],
  width: number,
  cells: readonly string[],
): RowValues | RowRefusal => {
  const surplus = cells.slice(width).some((cell) => cell !== "");
  if (surplus || cells.length < width) {
    const reason = `The row has ${counted(cells.length, "cell")}, and the file has ${counted(width, "column")}. Is a delimiter missing, or a cell not in quotes?`;
    return { column: "", reason };
  }
  const values: RowValues = { texts: {}, properties: [], lists: [] };
  for (const { index, name, target } of columns) {
    const cell = cells[index] ?? "";
    if (cell === "") continue;
    const problem = cell.length > MAX_CELL ? `must have at most ${MAX_CELL} characters` : put(values, target, cell);
    if (problem !== undefined) return { column: name, reason: `The value ${problem}.` };
  }
  if (values.email === undefined && values.userId === undefined) {
    return { column: "", reason: "The row has neither an email address nor a user id." };
  }
  return values;
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Puts the value of a cell into `values`. Why it cannot, otherwise. */
const put = (values: RowValues, target: Column["target"], cell: string): string | undefined => {
  switch (target.kind) {
    case "email": {
      const read = address.safeParse(cell);
      if (!read.success) return wordsOf(read.error.issues[0]?.message);
      values.email = read.data;
      return undefined;
    }
    case "userId":
      values.userId = cell;
      return undefined;
    case "text":
      values.texts[target.name] = cell;
      return undefined;
    case "property": {
      const { read, must } = readers[target.type];
      const value = read(cell);
      if (value === undefined) return `must ${must}`;
      values.properties.push([target.name, value]);
      return undefined;
    }
    default: {
      const value = toBoolean(cell);
      if (value === undefined) return "must be true or false";
      if (target.kind === "list") values.lists.push([target.id, value]);
      else values.subscribed = value;
      return undefined;
    }
  }
};

/** The reason without the address that it may quote. */
const wordsOf = (message = "must be an email address"): string =>
  message.replace(/: is it .*$/, "").replace(/; .* is (none|one)$/, "");
