import { email as address } from "../contract/email.ts";
import type { Column } from "./mapping.ts";
import { MAX_CELL } from "./records.ts";
import { readers, toBoolean, type Value } from "./values.ts";

/** Values of a row. An empty cell sets nothing. */
export type RowValues = {
  email?: string;
  userId?: string;
  subscribed?: boolean;
  texts: Record<string, string>;
  properties: [name: string, value: Value][];
  lists: [id: string, subscribed: boolean][];
};

export type RowRefusal = { column: string; reason: string };

/** Reads a row. An error never quotes a value: the outcome file may be kept longer than the contact. */
export const readRow = (
  columns: readonly Column[],
  width: number,
  cells: readonly string[],
): RowValues | RowRefusal => {
  const surplus = cells.slice(width).some((cell) => cell !== "");
  if (surplus || cells.length < width) {
    const reason = `The row has ${counted(cells.length, "cell")}, and the file has ${counted(width, "column")}. Is a delimiter missing, or a cell not in quotes?`;
    return { column: "", reason };
  }
  const values: RowValues = { texts: {}, properties: [], lists: [] };
  for (const { index, name, target } of columns) {
    const cell = cells[index] ?? "";
    if (cell === "") continue;
    const problem = cell.length > MAX_CELL ? `must have at most ${MAX_CELL} characters` : put(values, target, cell);
    if (problem !== undefined) return { column: name, reason: `The value ${problem}.` };
  }
  if (values.email === undefined && values.userId === undefined) {
    return { column: "", reason: "The row has neither an email address nor a user id." };
  }
  return values;
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const put = (values: RowValues, target: Column["target"], cell: string): string | undefined => {
  switch (target.kind) {
    case "email": {
      const read = address.safeParse(cell);
      if (!read.success) return wordsOf(read.error.issues[0]?.message);
      values.email = read.data;
      return undefined;
    }
    case "userId":
      values.userId = cell;
      return undefined;
    case "text":
      values.texts[target.name] = cell;
      return undefined;
    case "property": {
      const { read, must } = readers[target.type];
      const value = read(cell);
      if (value === undefined) return `must ${must}`;
      values.properties.push([target.name, value]);
      return undefined;
    }
    default: {
      const value = toBoolean(cell);
      if (value === undefined) return "must be true or false";
      if (target.kind === "list") values.lists.push([target.id, value]);
      else values.subscribed = value;
      return undefined;
    }
  }
};

/** Removes the address that the reason may quote. */
const wordsOf = (message = "must be an email address"): string =>
  message.replace(/: is it .*$/, "").replace(/; .* is (none|one)$/, "");
