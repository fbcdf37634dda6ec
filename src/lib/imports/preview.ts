export const PREVIEW = 20;
const CELL = 100;
/** One row has at most 300 × 100 characters, so one always fits. */
const BYTES = 1_000_000;

const shortened = (cell: string): string => (cell.length > CELL ? `${[...cell].slice(0, CELL).join("")}…` : cell);

/** Preview of a file. Wide rows make it shorter, and long cells end with "…". */
export const previewOf = (rows: readonly (readonly string[])[], columns: number): string[][] => {
  const encoder = new TextEncoder();
  const shown: string[][] = [];
  let bytes = 0;
  for (const row of rows.slice(0, PREVIEW)) {
    const cells = row.slice(0, columns).map(shortened);
    bytes += encoder.encode(JSON.stringify(cells)).length;
    if (bytes > BYTES) break;
    shown.push(cells);
  }
  return shown;
};
