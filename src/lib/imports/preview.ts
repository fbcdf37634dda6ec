/** Rows that the preview shows at most. */
export const PREVIEW = 20;
/** Characters of a cell that it shows. */
const CELL = 100;
/** Bytes of the preview as JSON: a row of the database may have 2 MB. One row has at most 300 × 100 characters, so one always fits. */
const BYTES = 1_000_000;

const shortened = (cell: string): string => (cell.length > CELL ? `${[...cell].slice(0, CELL).join("")}…` : cell);

/** The first rows of a file, for a person who maps its columns. Wide rows make it shorter, and long cells end with "…". */
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
