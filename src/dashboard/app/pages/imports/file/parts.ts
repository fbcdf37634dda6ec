import { type CsvRecord, readRecords } from "../../../../../lib/imports/records.ts";
import type { Asked } from "./read.ts";
import { type Source, slicesOf } from "./slices.ts";

/** Rows and characters of one request. The service keeps them in batches of 100 rows. */
const ROWS = 1_000;
const CHARACTERS = 400_000;

/** Rows for one request. `first`: the number of the first one, from 1. */
export type Part = { first: number; rows: CsvRecord[] };

const sizeOf = ({ cells }: CsvRecord): number => cells.reduce((sum, cell) => sum + cell.length + 3, 20);

/**
 * The rows of a file for one request after the other.
 *
 * @param arrived rows that the service has already
 */
export async function* partsOf(file: Source, form: Asked, arrived: number): AsyncGenerator<Part> {
  let number = 0;
  let rows: CsvRecord[] = [];
  let size = 0;
  const part = (): Part => {
    const made = { first: number - rows.length + 1, rows };
    rows = [];
    size = 0;
    return made;
  };
  let isHead = true;
  for await (const piece of readRecords(slicesOf(file), form)) {
    if ("problem" in piece) throw new Error(piece.problem);
    for (const record of piece.records) {
      if (isHead) {
        isHead = false;
        continue;
      }
      if (rows.length >= ROWS || (rows.length > 0 && size + sizeOf(record) > CHARACTERS)) yield part();
      number += 1;
      if (number <= arrived) continue;
      rows.push(record);
      size += sizeOf(record);
    }
  }
  if (rows.length > 0) yield part();
}
