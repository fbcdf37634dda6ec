import { columnsOf } from "./columns.ts";
import { previewOf } from "./preview.ts";
import type { CsvRecord } from "./records.ts";

/** What is known of a file by its first rows. `rows`: those below the names of the columns. */
export type Head = { columns: string[]; preview: string[][]; rows: CsvRecord[] };

/** Reads the head of a file from its first rows, more than the preview has where there are as many. */
export const headOf = (records: readonly CsvRecord[]): Head | { problem: string } => {
  const [first, ...rows] = records;
  if (!first) return { problem: "The file is empty." };
  if (first.problem !== undefined) return { problem: first.problem };
  const sound = rows.filter(({ problem }) => problem === undefined).map(({ cells }) => cells);
  const read = columnsOf(first.cells, sound);
  if ("problem" in read) return read;
  if (rows.length === 0) return { problem: "The file has no row below the names of its columns." };
  const preview = previewOf(
    rows.map(({ cells }) => cells),
    read.columns.length,
  );
  return { columns: read.columns, preview, rows };
};
