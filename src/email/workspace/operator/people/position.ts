import type { Refusal } from "../../../../lib/contract/errors.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";

/** The position after a row number, address (as `emailKey`) or user id. */
export type Position = { order: "n" | "email" | "userId"; after: string | number };

export const positionAfter = ({ order, after }: Position): string => cursorOf([order, after]);

/** Parses a cursor, or refuses a cursor of another kind of search. */
export const positionOf = (
  cursor: string | undefined,
  first: "n" | "email",
): { order: Position["order"]; after: string | number | undefined } | { refusal: Refusal } => {
  if (cursor === undefined) return { order: first, after: undefined };
  const position = read(cursor);
  if (position && (position.order === "n") === (first === "n")) return position;
  const message = "cursor: not one that this list gave for this q. Leave it out for the first page.";
  return { refusal: { code: "invalid_request", path: "cursor", message } };
};

const read = (cursor: string): Position | undefined => {
  const value = readCursor(cursor);
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [order, after] = value as unknown[];
  if (order === "n") return Number.isSafeInteger(after) ? { order, after: after as number } : undefined;
  if (order !== "email" && order !== "userId") return undefined;
  return typeof after === "string" ? { order, after } : undefined;
};
