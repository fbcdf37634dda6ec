import type { CsvRecord } from "./records.ts";

/** Rows that are imported in one transaction: a slice of about 10 ms. */
const ROWS = 100;
/** Most characters of a batch: a row of the database may have 2 MB, and a character may need six bytes of JSON. */
const CHARACTERS = 200_000;
/** Characters of each cell that are kept of a row that is larger alone. It has more cells than a file has columns, and is refused. */
const CUT = 100;

/** Rows of a file as they are stored. `first`: the number of the first one, from 1. */
export type RowBatch = { first: number; rows: CsvRecord[] };

const sizeOf = ({ cells }: CsvRecord): number => cells.reduce((sum, { length }) => sum + length, 0);

/** Groups the rows of a file. `before`: how many rows were grouped before. */
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
    /** Adds rows. Returns the batches that are full. */
    add: (records: readonly CsvRecord[]): RowBatch[] =>
      records.flatMap((given) => {
        const record =
          sizeOf(given) > CHARACTERS ? { ...given, cells: given.cells.map((cell) => cell.slice(0, CUT)) } : given;
        const size = sizeOf(record);
        const full = rows.length >= ROWS || characters + size > CHARACTERS ? close() : [];
        rows.push(record);
        characters += size;
        total += 1;
        return full;
      }),
    /** The rest. */
    close,
    total: () => total,
  };
};
