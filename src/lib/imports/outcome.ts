import { csvLine } from "../util/csv.ts";

/** What became of a row. */
export type Outcome = "created" | "updated" | "unchanged" | "refused";

/** One line of the outcome file. `row`: of the contacts, from 1. `line`: of the uploaded file. */
export type OutcomeLine = { row: number; line: number; outcome: Outcome; column: string; reason: string };

/** The first line of an outcome file. */
export const OUTCOME_HEAD = csvLine(["row", "line", "outcome", "column", "reason"]);

export const outcomeLine = ({ row, line, outcome, column, reason }: OutcomeLine): string =>
  csvLine([row, line, outcome, column, reason]);
