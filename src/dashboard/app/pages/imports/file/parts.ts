import { type CsvRecord, readRecords } from "../../../../../lib/imports/records.ts";
import type { Asked } from "./read.ts";
import { type Source, slicesOf } from "./slices.ts";

/** The service stores batches of 100 rows. */
const ROWS = 1_000;
const CHARACTERS = 400_000;

/** Rows of one request. `first`: number of the first row, from 1. */
export type Part = { first: number; rows: CsvRecord[] };

const sizeOf = ({ cells }: CsvRecord): number => cells.reduce((sum, cell) => sum + cell.length + 3, 20);

/**
 * Splits a file into requests.
 *
 * @param arrived rows that the service already has
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
