/**
 * Spreadsheets run a cell that begins with one of these as a formula (OWASP, CSV injection). Some take the full-width forms of a
 * Japanese keyboard too.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line of CSV (RFC 4180) whose cells no spreadsheet runs. A cell of null is empty. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(",")}\r\n`;

const cellOf = (cell: string | number | null): string => {
  const text = cell === null ? "" : String(cell);
  const safe = typeof cell === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
