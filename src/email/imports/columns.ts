import { isAddress } from "./mapping.ts";

const MAX_COLUMNS = 300;
const MAX_NAME = 200;

/**
 * The names of the columns by the first row of a file. A name that is there twice gets a number, and a column without a name gets its
 * place. Trailing columns without a name are left out.
 */
export const columnsOf = (first: readonly string[]): { columns: string[] } | { problem: string } => {
  const cells = first.slice(0, first.findLastIndex((cell) => cell !== "") + 1);
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
    const name = cell.replaceAll(/\s+/g, " ") || `Column ${index + 1}`;
    let unique = name;
    for (let number = 2; used.has(unique); number += 1) unique = `${name} (${number})`;
    used.add(unique);
    return unique;
  });
  return { columns };
};
