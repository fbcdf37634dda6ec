import { columnsOf } from "./columns.ts";
import { previewOf } from "./preview.ts";
import type { CsvRecord } from "./records.ts";

export type Head = { columns: string[]; preview: string[][]; rows: CsvRecord[] };

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
