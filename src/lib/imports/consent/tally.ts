import { orderIn } from "../dates.ts";
import type { CsvRecord } from "../records.ts";
import { readBy } from "./names.ts";
import { isBlank, type Kind, kindOf, MAX_READ, wordOf } from "./words.ts";

/**
 * Cells of a column: those with a value, and dates by the order that they prove. `cells`: rows by what their cell says,
 * known words in their spelling for comparison. More cells than are kept count under one of the same kind.
 */
export type ColumnTally = Record<"filled" | "dayFirst" | "monthFirst" | "either", number> & {
  cells: Record<string, number>;
};

/** Keys of one column, and of all columns together: they are kept in one row. */
const MAX_KEYS = { column: 60, all: 2_500, least: 8 };

/** Counts of a whole file. */
export type Counted = { rows: number; columns: readonly ColumnTally[] };

/** Cell that counts for all other cells of its kind once there are too many. */
const STANDS_FOR: Readonly<Record<Kind, string>> = {
  true: "yes",
  false: "no",
  yes: "subscribed",
  on: "active",
  off: "inactive",
  no: "unsubscribed",
  doubtful: "pending",
  phrase: "is bounced …",
  denied: "not …",
  turned: "not unsubscribed",
  date: "(date)",
  link: "https://…",
  other: "…",
};

/** More different values are names, addresses or texts, and no states of a person. */
const MAX_VALUES = 200;
/** Beginnings of words for "no", by which a cell among many others is read. */
const STRONG =
  /un[ _-]?su|opt[a-z]*[ _-]*out|bounc|complain|suppress|black|blocklist|do[ _-]?not|cleaned|abgemeld|d[ée]s(?:abo|ins)|baja|odhl|afmeld|wypis|отпис|退/i;

const keyOf = (cell: string, kind: Kind, isNamed: boolean): string => {
  if (kind === "date" || kind === "link" || (kind === "other" && !isNamed)) return STANDS_FOR[kind];
  const word = wordOf(cell);
  return kindOf(word) === kind ? word : cell.slice(0, MAX_READ);
};

const put = (cells: Map<string, number>, key: string, count: number, kept: number): void => {
  const to = cells.has(key) || cells.size < kept ? key : STANDS_FOR[kindOf(key)];
  cells.set(to, (cells.get(to) ?? 0) + count);
};

const keptOf = (columns: number): number =>
  Math.max(MAX_KEYS.least, Math.min(MAX_KEYS.column, Math.floor(MAX_KEYS.all / columns)));

/** Counts the cells of some rows. Columns of many different values cost next to nothing, unless they are about mail. */
export const tallyOf = (columns: readonly string[], records: readonly Pick<CsvRecord, "cells">[]): ColumnTally[] => {
  const kept = keptOf(columns.length);
  return columns.map((name, index) => {
    const reads = readBy(name);
    const tally = { filled: 0, dayFirst: 0, monthFirst: 0, either: 0 };
    const values = new Map<string, number>();
    let isOpen = true;
    for (const { cells } of records) {
      const cell = cells[index] ?? "";
      if (isBlank(cell)) continue;
      tally.filled += 1;
      const order = orderIn(cell);
      if (order !== undefined) tally[order] += 1;
      if (!isOpen && !STRONG.test(cell)) continue;
      values.set(cell, (values.get(cell) ?? 0) + 1);
      if (!isOpen || reads === "each" || values.size <= MAX_VALUES) continue;
      isOpen = false;
      for (const value of values.keys()) if (!STRONG.test(value)) values.delete(value);
    }
    const said = new Map<string, number>();
    let counted = 0;
    for (const [value, count] of values) {
      put(said, keyOf(value, kindOf(value), reads !== "none"), count, kept);
      counted += count;
    }
    if (counted < tally.filled) put(said, STANDS_FOR.other, tally.filled - counted, kept);
    return { ...tally, cells: Object.fromEntries(said) };
  });
};

/** Sum of two tallies of the same columns. */
export const addedTally = (one: readonly ColumnTally[] | undefined, other: readonly ColumnTally[]): ColumnTally[] =>
  other.map((tally, index) => {
    const before = one?.[index];
    if (!before) return tally;
    const cells = new Map(Object.entries(before.cells));
    for (const [key, count] of Object.entries(tally.cells)) put(cells, key, count, keptOf(other.length));
    return {
      filled: before.filled + tally.filled,
      dayFirst: before.dayFirst + tally.dayFirst,
      monthFirst: before.monthFirst + tally.monthFirst,
      either: before.either + tally.either,
      cells: Object.fromEntries(cells),
    };
  });

/** Counts of rows in memory. */
export const countedIn = (columns: readonly string[], rows: readonly (readonly string[])[]): Counted => ({
  rows: rows.length,
  columns: tallyOf(
    columns,
    rows.map((cells) => ({ cells: [...cells] })),
  ),
});
