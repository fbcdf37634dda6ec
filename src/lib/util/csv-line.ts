/** Spreadsheets run such cells as formulas (OWASP, CSV injection). Some accept full-width forms too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Formats a CSV line (RFC 4180) with formulas disabled. A null cell is empty. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(",")}\r\n`;

const cellOf = (cell: string | number | null): string => {
  const text = cell === null ? "" : String(cell);
  const safe = typeof cell === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
