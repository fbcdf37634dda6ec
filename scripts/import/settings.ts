import { DATE_ORDERS, SUPPRESSION_REASONS } from "../../src/lib/contract/import-choices.ts";
import { guessSuppressions, isShared } from "../../src/lib/imports/mapping.ts";
import { UsageError } from "../lib/cli.ts";
import type { Shown, Values } from "./types.ts";

const TYPES: readonly string[] = ["string", "number", "boolean", "date"];

/** Split at the last equals sign, because a column name may contain others. */
const pair = (option: string, text: string, form: string): [string, string] => {
  const at = text.lastIndexOf("=");
  const [name, value] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  if (name !== "" && value !== "") return [name, value];
  throw new UsageError(`--${option} ${text}: expected ${form}.`);
};

/** Parsed options. `mapping`: null ignores a column. */
export type Settings = {
  mapping: [column: string, field: string | null][];
  createProperties: Record<string, string>;
  dates: Record<string, string>;
  suppressAs: string | undefined;
};

/** Reads the options before an upload. Throws UsageError. */
export const settingsOf = (values: Values): Settings => {
  if (values.start && values["dry-run"])
    throw new UsageError("--start imports and --dry-run only checks: give one of them.");
  const mapping = (values.map ?? [])
    .map((text) => pair("map", text, 'COLUMN=FIELD, such as "E-mail=email", or COLUMN=- to ignore it'))
    .map(([column, field]): [string, string | null] => [column, field === "-" ? null : field]);
  const created = (values.create ?? []).map((text) => pair("create", text, "NAME=TYPE, such as plan=string"));
  for (const [name, type] of created)
    if (!TYPES.includes(type))
      throw new UsageError(`--create ${name}=${type}: the type must be one of ${TYPES.join(", ")}.`);
  const dates = (values.dates ?? []).map((text) => pair("dates", text, 'COLUMN=ORDER, such as "Joined=day-first"'));
  for (const [name, order] of dates)
    if (!(DATE_ORDERS as readonly string[]).includes(order))
      throw new UsageError(`--dates ${name}=${order}: the order must be ${DATE_ORDERS.join(" or ")}.`);
  const suppressAs = values["suppress-as"];
  if (suppressAs !== undefined && !(SUPPRESSION_REASONS as readonly string[]).includes(suppressAs))
    throw new UsageError(`--suppress-as ${suppressAs}: the reason must be one of ${SUPPRESSION_REASONS.join(", ")}.`);
  return { mapping, createProperties: Object.fromEntries(created), dates: Object.fromEntries(dates), suppressAs };
};

/** Maps columns by option, then by guess. Throws UsageError for an unknown column. */
export const mappingOf = (
  { mapping, columns, preview }: Shown,
  { mapping: named, suppressAs }: Settings,
): Shown["mapping"] => {
  const [wrong] = named.map(([column]) => column).filter((column) => !columns.includes(column));
  if (wrong !== undefined) {
    const known = columns.map((column) => JSON.stringify(column)).join(", ");
    throw new UsageError(`--map: the file has no column ${JSON.stringify(wrong)}. Its columns: ${known}.`);
  }
  // A named column takes its field from the guess of another.
  const taken = new Set(named.map(([, field]) => field));
  const guess = suppressAs === undefined ? mapping : guessSuppressions(columns, preview);
  const guessed = Object.entries(guess).map(
    ([column, field]) => [column, field !== null && taken.has(field) && !isShared(field) ? null : field] as const,
  );
  return Object.fromEntries([...guessed, ...named]);
};
