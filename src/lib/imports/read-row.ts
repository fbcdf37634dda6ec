import { email as address } from "../contract/email.ts";
import { hasHidden, NO_HIDDEN } from "../contract/hidden-characters.ts";
import type { DateOrder } from "../contract/import-choices.ts";
import { readConsent } from "./consent/consent.ts";
import { isBlank } from "./consent/words.ts";
import { readDate } from "./dates.ts";
import { type NameParts, nameParts } from "./full-name.ts";
import type { Column } from "./mapping.ts";
import { MAX_CELL } from "./records.ts";
import { reasonIn } from "./suppressed.ts";
import { readers, type Value } from "./values.ts";

/** Values of a row. An empty cell sets nothing. `createdAt`, and `at` of a suppression: Unix ms. */
export type RowValues = {
  email?: string;
  userId?: string;
  subscribed?: boolean;
  texts: Record<string, string>;
  /** Parts of a full name, for contacts without a name. */
  guessed?: NameParts;
  properties: [name: string, value: Value][];
  lists: [id: string, subscribed: boolean][];
  createdAt?: number;
  consent?: OptIn;
  suppression?: { reason?: ReturnType<typeof reasonIn>; at?: number };
  /** Bad cells that are left out. */
  notes?: string[];
};

/** When and where a person agreed to get mail. `at`: ISO 8601. */
type OptIn = { at?: string; source?: string };

export type RowRefusal = { column: string; reason: string };

/** `skipBadCells`: a bad cell of a side column is left out, and the row is read. */
export type RowOptions = { skipBadCells?: boolean };

const CORE: ReadonlySet<Column["target"]["kind"]> = new Set(["email", "userId", "consent"]);

/** Reads a row. An error never quotes a value: the outcome file may be kept longer than the contact. */
export const readRow = (
  columns: readonly Column[],
  width: number,
  cells: readonly string[],
  { skipBadCells = false }: RowOptions = {},
): RowValues | RowRefusal => {
  const surplus = cells.slice(width).some((cell) => cell !== "");
  if (surplus || cells.length < width) {
    const reason = `The row has ${counted(cells.length, "cell")}, and the file has ${counted(width, "column")}. Is a delimiter missing, or a cell not in quotes?`;
    return { column: "", reason };
  }
  const values: RowValues = { texts: {}, properties: [], lists: [] };
  for (const column of columns) {
    const { name, target } = column;
    const given = cells[column.index] ?? "";
    const cell = isBlank(given) ? "" : given;
    if (cell === "" && !(target.kind === "consent" && target.consent.words)) continue;
    const problem = faultOf(cell) ?? put(values, column, cell);
    if (problem === undefined) continue;
    if (!skipBadCells || CORE.has(target.kind)) return { column: name, reason: `The value ${problem}.` };
    values.notes = [...(values.notes ?? []), `${name} is left out: the value ${problem}.`];
  }
  if (values.email === undefined && values.userId === undefined) {
    return { column: "", reason: "The row has neither an email address nor a user id." };
  }
  return values;
};

const faultOf = (cell: string): string | undefined => {
  if (cell.length > MAX_CELL) return `must have at most ${MAX_CELL} characters`;
  return hasHidden(cell) ? NO_HIDDEN : undefined;
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const CONSENT_WORDS =
  "must say who is subscribed: true or false, or a known word such as active or unsubscribed. Name other words in the mapping: unsubscribed:gone|moved";

const put = (values: RowValues, { target, order }: Column, cell: string): string | undefined => {
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
      const value = read(cell, order);
      if (value === undefined) return `must ${must}`;
      values.properties.push([target.name, value]);
      return undefined;
    }
    case "consent": {
      const answer = readConsent(target.consent, cell);
      if (answer === undefined) return CONSENT_WORDS;
      if (answer !== "says nothing") values.subscribed = answer && values.subscribed !== false;
      return undefined;
    }
    case "list": {
      const answer = readConsent({ asks: "subscribed" }, cell);
      if (typeof answer !== "boolean") return "must be true or false";
      values.lists.push([target.id, answer]);
      return undefined;
    }
    default:
      return putAside(values, target.kind, cell, order);
  }
};

type Aside = Exclude<Column["target"]["kind"], "email" | "userId" | "text" | "property" | "consent" | "list">;

/** Keeps what is known of a person's past: names in one cell, times, sources. */
const putAside = (values: RowValues, kind: Aside, cell: string, order: DateOrder | undefined): string | undefined => {
  if (kind === "fullName") {
    values.guessed = nameParts(cell);
    return undefined;
  }
  if (kind === "optInSource") {
    values.consent = { ...values.consent, source: cell };
    return undefined;
  }
  if (kind === "suppressionReason") {
    values.suppression = { ...values.suppression, reason: reasonIn(cell) };
    return undefined;
  }
  const at = readDate(cell, order);
  if (at === undefined) return `must ${readers.date.must}`;
  if (kind === "createdAt") values.createdAt = Date.parse(at);
  else if (kind === "optInAt") values.consent = { ...values.consent, at };
  else values.suppression = { ...values.suppression, at: Date.parse(at) };
  return undefined;
};

/** Removes the address that the reason may quote. */
const wordsOf = (message = "must be an email address"): string =>
  message.replace(/: is it .*$/, "").replace(/; .* is (none|one)$/, "");
