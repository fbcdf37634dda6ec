import type { Refusal } from "../../../../lib/contract/errors.ts";
import { CODES, type Count, type Counted } from "../../../policy/workflows/diff/impact.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import type { RunPosition } from "./waiting-contacts.ts";

export type Begun = Counted & { versions: { from: string; to: string }; after: RunPosition; looked: number };

export const NO_CURSOR: Refusal = {
  code: "invalid_request",
  path: "cursor",
  message: "cursor: not one that a comparison of versions gave. Leave it out to begin.",
};

export const OTHER_VERSIONS: Refusal = {
  code: "invalid_request",
  path: "cursor",
  message: "cursor: it goes on with the comparison of two other versions. Leave it out to begin.",
};

/** Returns the cursor of the next request. A count is stored as its node, code number and contacts. */
export const writeBegun = ({ versions: { from, to }, after, looked, concerned, counts }: Begun): string =>
  cursorOf([
    from,
    to,
    after,
    looked,
    concerned,
    counts.flatMap(({ node, code, contacts }) => [node, CODES.indexOf(code), contacts]),
  ]);

/** Returns the content of a cursor, or undefined for invalid text. */
export const readBegun = (cursor: string): Begun | undefined => {
  const value = readCursor(cursor);
  if (!Array.isArray(value) || value.length !== 6) return undefined;
  const [from, to, after, looked, concerned, numbers] = value as unknown[];
  if (typeof from !== "string" || typeof to !== "string" || !isCount(looked) || !isCount(concerned)) return undefined;
  if (!Array.isArray(after) || after.length !== 4 || !after.every(Number.isSafeInteger)) return undefined;
  const counts = readCounts(numbers);
  return counts && { versions: { from, to }, after: after as unknown as RunPosition, looked, concerned, counts };
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const readCounts = (numbers: unknown): Count[] | undefined => {
  if (!Array.isArray(numbers) || numbers.length % 3 !== 0 || !numbers.every(isCount)) return undefined;
  const counts: Count[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    const [node, code, contacts] = [numbers[at] ?? 0, CODES[numbers[at + 1] ?? 0], numbers[at + 2] ?? 0];
    if (code === undefined) return undefined;
    counts.push({ node, code, contacts });
  }
  return counts;
};
