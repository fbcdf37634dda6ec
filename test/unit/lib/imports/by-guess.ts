import { addedTally, tallyOf } from "../../../../src/lib/imports/consent/tally.ts";
import { type Column, guessMapping, targetOf } from "../../../../src/lib/imports/mapping.ts";
import { readRow } from "../../../../src/lib/imports/read-row.ts";
import { lostColumns, signsOf } from "../../../../src/lib/imports/signs.ts";

/** Export of another product, rows as text. `no`: those who get no mail. */
export type Export = { product: string; columns: string; yes: readonly string[]; no: readonly string[]; asks?: true };

/** Rows of the preview of an upload. */
const PREVIEW = 20;

/** Counts rows as they arrive: in several pieces. */
export const countedOf = (columns: readonly string[], rows: readonly (readonly string[])[]) => {
  const records = rows.map((cells, index) => ({ line: index + 2, cells: [...cells] }));
  const first = tallyOf(columns, records.slice(0, PREVIEW));
  return { rows: rows.length, columns: addedTally(first, tallyOf(columns, records.slice(PREVIEW))) };
};

/** Imports by the guess, as the service does. `lost`: columns that keep an import from its start. */
export const importedByGuess = (columns: readonly string[], rows: readonly (readonly string[])[]) => {
  const counted = countedOf(columns, rows);
  const { consent } = signsOf({ name: "people.csv", columns, counted });
  const preview = rows.slice(0, PREVIEW);
  const mapping = guessMapping([...columns], preview, { properties: [], lists: [] }, counted);
  const read = columns.flatMap((name, index): Column[] => {
    const target = targetOf(mapping[name] ?? "", new Map());
    return target ? [{ index, name, target }] : [];
  });
  const lost = lostColumns({ consent }, mapping, []);
  return { consent, lost, values: rows.map((cells) => readRow(read, columns.length, cells)) };
};
