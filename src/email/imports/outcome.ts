/** What became of a row. */
export type Outcome = "created" | "updated" | "unchanged" | "refused";

/** One line of the outcome file. `row`: of the contacts, from 1. `line`: of the uploaded file. */
export type OutcomeLine = { row: number; line: number; outcome: Outcome; column: string; reason: string };

/** The first line of an outcome file. */
export const OUTCOME_HEAD = "row,line,outcome,column,reason\r\n";

/** Spreadsheets run a cell that begins with one of these as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell that no spreadsheet runs. */
const cellOf = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const outcomeLine = ({ row, line, outcome, column, reason }: OutcomeLine): string =>
  `${row},${line},${outcome},${cellOf(column)},${cellOf(reason)}\r\n`;
