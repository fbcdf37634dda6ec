import { isAddress } from "./mapping.ts";

const MAX_COLUMNS = 300;
const MAX_NAME = 200;
/** JSON with this key is refused. */
const NO_KEY = "__proto__";

/**
 * Names the columns by the first row: numbers duplicates, and uses the position for empty names. Empty names at the
 * end are dropped unless a row has a value there.
 */
export const columnsOf = (
  first: readonly string[],
  rows: readonly (readonly string[])[],
): { columns: string[] } | { problem: string } => {
  const widths = [first, ...rows].map((row) => row.slice(0, first.length).findLastIndex((cell) => cell !== "") + 1);
  const cells = first.slice(
    0,
    widths.reduce((most, width) => Math.max(most, width)),
  );
  if (cells.some(isAddress)) {
    return { problem: "The first row has an address. Add a first row with the names of the columns." };
  }
  if (cells.length > MAX_COLUMNS) {
    return { problem: `The file has ${cells.length} columns; at most ${MAX_COLUMNS} are possible.` };
  }
  const long = cells.find(({ length }) => length > MAX_NAME);
  if (long !== undefined) {
    return { problem: `The name of a column has more than ${MAX_NAME} characters: "${long.slice(0, 40)}…".` };
  }
  const used = new Set<string>();
  const columns = cells.map((cell, index) => {
    const given = cell.replaceAll(/\s+/g, " ");
    const name = given === "" || given === NO_KEY ? `Column ${index + 1}` : given;
    let unique = name;
    for (let number = 2; used.has(unique); number += 1) unique = `${name} (${number})`;
    used.add(unique);
    return unique;
  });
  return { columns };
};
