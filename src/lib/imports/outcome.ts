import { csvLine } from "../util/csv-line.ts";

export type Outcome = "created" | "updated" | "unchanged" | "refused";

/** `row`: number of the contact, from 1. `line`: of the uploaded file. */
export type OutcomeLine = { row: number; line: number; outcome: Outcome; column: string; reason: string };

export const OUTCOME_HEAD = csvLine(["row", "line", "outcome", "column", "reason"]);

export const outcomeLine = ({ row, line, outcome, column, reason }: OutcomeLine): string =>
  csvLine([row, line, outcome, column, reason]);
