import { consentColumns } from "../../../../src/lib/imports/consent.ts";
import { type Column, guessMapping, targetOf } from "../../../../src/lib/imports/mapping.ts";
import { readRow } from "../../../../src/lib/imports/read-row.ts";
import { tallyOf } from "../../../../src/lib/imports/tally.ts";

/** Export of another product, rows as text. `no`: those who get no mail. */
export type Export = { product: string; columns: string; yes: readonly string[]; no: readonly string[]; asks?: true };

/** Rows of the preview of an upload. */
export const PREVIEW = 20;

/** Imports by the guess, as the service does. `lost`: columns that keep an import from its start. */
export const importedByGuess = (columns: readonly string[], rows: readonly (readonly string[])[]) => {
  const records = rows.map((cells, index) => ({ line: index + 2, cells: [...cells] }));
  const counted = { rows: rows.length, columns: tallyOf(columns.length, records) };
  const preview = records.slice(0, PREVIEW).map(({ cells }) => cells);
  const mapping = guessMapping([...columns], preview, { properties: [], lists: [] }, counted);
  const read = columns.flatMap((name, index): Column[] => {
    const target = targetOf(mapping[name] ?? "", new Map());
    return target ? [{ index, name, target }] : [];
  });
  const kept = new Set(read.flatMap(({ name, target }) => (target.kind === "consent" ? name : [])));
  const lost = consentColumns(columns, preview, counted).filter(({ column, says }) => says > 0 && !kept.has(column));
  return { lost, values: rows.map((cells) => readRow(read, columns.length, cells)) };
};
