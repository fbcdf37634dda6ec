import { orderIn } from "./dates.ts";
import type { CsvRecord } from "./records.ts";
import { isBlank, isNoPhrase, type Meaning, meaningOf } from "./words.ts";

/**
 * Cells of a column: those with a value, those with a known word, and dates by the order that they prove. `phrase`: says
 * "no" in a column about mail. `code`: one character that does not say yes.
 */
export type ColumnTally = Record<Meaning | "filled" | "phrase" | "code" | "dayFirst" | "monthFirst" | "either", number>;

const NONE: ColumnTally = {
  filled: 0,
  true: 0,
  false: 0,
  yes: 0,
  no: 0,
  doubtful: 0,
  phrase: 0,
  code: 0,
  dayFirst: 0,
  monthFirst: 0,
  either: 0,
};
const KEYS = Object.keys(NONE) as (keyof ColumnTally)[];

/** More different values are names, addresses or texts, and no states of a person. */
const MAX_VALUES = 200;

/** Counts the cells of some rows. Columns of many different values cost next to nothing. */
export const tallyOf = (columns: number, records: readonly CsvRecord[]): ColumnTally[] =>
  Array.from({ length: columns }, (_, index) => {
    const tally = { ...NONE };
    const values = new Map<string, number>();
    let isOpen = true;
    for (const { cells } of records) {
      const cell = cells[index] ?? "";
      if (isBlank(cell)) continue;
      tally.filled += 1;
      const order = orderIn(cell);
      if (order !== undefined) tally[order] += 1;
      else if (isOpen) {
        values.set(cell, (values.get(cell) ?? 0) + 1);
        isOpen = values.size <= MAX_VALUES;
      }
    }
    if (!isOpen) return tally;
    for (const [value, count] of values) {
      const meaning = meaningOf(value);
      if (meaning !== undefined) tally[meaning] += count;
      else if (isNoPhrase(value)) tally.phrase += count;
      if (value.length === 1 && meaning !== "true") tally.code += count;
    }
    return tally;
  });

/** Sum of two tallies of the same columns. */
export const addedTally = (one: readonly ColumnTally[] | undefined, other: readonly ColumnTally[]): ColumnTally[] =>
  other.map((tally, index) => {
    const before = one?.[index] ?? NONE;
    return Object.fromEntries(KEYS.map((key) => [key, before[key] + tally[key]])) as ColumnTally;
  });
