import type { CsvRecord } from "./records.ts";

/** Rows of one transaction: a slice of about 10 ms. */
const ROWS = 100;
/** A database row may have 2 MB, and a character may need six bytes of JSON. */
const CHARACTERS = 200_000;
const CUT = 100;

/** `first`: number of the first row, from 1. */
export type RowBatch = { first: number; rows: CsvRecord[] };

const sizeOf = ({ cells }: CsvRecord): number => cells.reduce((sum, { length }) => sum + length, 0);

export const createBatches = (before = 0) => {
  let rows: CsvRecord[] = [];
  let characters = 0;
  let total = before;
  const close = (): RowBatch[] => {
    const closed = rows.length === 0 ? [] : [{ first: total - rows.length + 1, rows }];
    rows = [];
    characters = 0;
    return closed;
  };
  return {
    add: (records: readonly CsvRecord[]): RowBatch[] =>
      records.flatMap((csvRecord) => {
        const record =
          sizeOf(csvRecord) > CHARACTERS
            ? { ...csvRecord, cells: csvRecord.cells.map((cell) => cell.slice(0, CUT)) }
            : csvRecord;
        const size = sizeOf(record);
        const full = rows.length >= ROWS || characters + size > CHARACTERS ? close() : [];
        rows.push(record);
        characters += size;
        total += 1;
        return full;
      }),
    close,
    total: () => total,
  };
};
