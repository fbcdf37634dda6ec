import { createPause, MOST_SLICES } from "./between-slices.ts";

/** Looks at the next `limit` rows after `after`, in the order of n; without a limit at -1. */
export type Look = (after: number, limit: number) => { n: number; named: 0 | 1 }[];

/** `last`: n of the last row that was looked at. */
export type Searched = { named: number[]; last: number };

/** Rows of a slice: about 5 ms. */
export const SEARCH_SLICE = 2_000;

export const NOT_SEARCHED: Searched = { named: [], last: 0 };

const add = ({ named, last }: Searched, rows: ReturnType<Look>): Searched => ({
  named: [...named, ...rows.flatMap((row) => (row.named === 1 ? [row.n] : []))],
  last: rows.at(-1)?.n ?? last,
});

/** Searches a table outside a transaction, and lets other requests run between slices. Ends early after 2,000 slices. */
export const searchInSlices = async (look: Look): Promise<Searched> => {
  const pause = createPause();
  let found = NOT_SEARCHED;
  for (let left = MOST_SLICES; left > 0; left--) {
    const rows = look(found.last, SEARCH_SLICE);
    found = add(found, rows);
    if (rows.length < SEARCH_SLICE) break;
    await pause();
  }
  return found;
};

/** Searches the rows that `found` does not cover. Returns the n of all rows that may name the person. */
export const searchRest = (look: Look, found: Searched): number[] => add(found, look(found.last, -1)).named;
