import type { PropertyType, WritableField } from "../../../../../lib/contract/contact-fields.ts";
import { guessMapping, LIST_PREFIX } from "../../../../../lib/imports/mapping.ts";
import { typeOf } from "../../../../../lib/imports/values.ts";
import { counted } from "../../../parts/ledger/ledger-words.ts";

/** Target of a column: existing field, nothing, or a new property. */
export type ColumnTarget = { to: string | null } | { create: string; type: PropertyType };

export type Settings = {
  columns: Record<string, ColumnTarget>;
  mailingLists: string[];
  updateExisting: boolean;
  triggerWorkflows: boolean;
  /** Rows are only checked, not imported. */
  checksOnly?: boolean;
};

export type Known = {
  properties: readonly { name: string; type: string }[];
  lists: readonly { id: string; name: string; isArchived: boolean }[];
};

const FIELDS: Readonly<Record<WritableField, string>> = {
  email: "Email address",
  userId: "User id",
  firstName: "First name",
  lastName: "Last name",
  userGroup: "User group",
  source: "Source",
  subscribed: "Subscribed (true or false)",
};

export const IGNORE = "";
export const CREATE = " create";

/** Lists that take contacts. Duplicate names get their ids. */
export const listChoices = (lists: Known["lists"]): { value: string; label: string }[] => {
  const open = lists.filter(({ isArchived }) => !isArchived);
  const isShared = (name: string) => open.filter((one) => one.name === name).length > 1;
  return open.map(({ id, name }) => ({ value: id, label: isShared(name) ? `${name} (${id})` : name }));
};

/** Column targets in groups, without archived lists. */
export const choicesOf = ({ properties, lists }: Known) => [
  { value: IGNORE, label: "Ignore" },
  { group: "Contact", items: Object.entries(FIELDS).map(([value, label]) => ({ value, label })) },
  {
    group: "Properties",
    items: [
      ...properties.map(({ name, type }) => ({ value: name, label: `${name} (${type})` })),
      { value: CREATE, label: "New property …" },
    ],
  },
  {
    group: "Mailing lists (true or false)",
    items: listChoices(lists).map(({ value, label }) => ({ value: `${LIST_PREFIX}${value}`, label })),
  },
];

/** Initial settings guessed from column names. */
export const guessOf = (columns: readonly string[], rows: readonly (readonly string[])[], known: Known): Settings => {
  const open = known.lists.filter(({ isArchived }) => !isArchived);
  const guessed = guessMapping(columns, rows, { properties: known.properties.map(({ name }) => name), lists: open });
  return settingsOf(guessed);
};

/** Settings from a stored mapping. */
export const settingsOf = (mapping: Readonly<Record<string, string | null>>): Settings => ({
  columns: Object.fromEntries(Object.entries(mapping).map(([name, to]) => [name, { to }])),
  mailingLists: [],
  updateExisting: true,
  triggerWorkflows: false,
});

/** Converts `Plan name` to `planName`. */
export const propertyNameOf = (column: string): string => {
  const words = column
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const name = words
    .map((word, index) =>
      index === 0 ? word.charAt(0).toLowerCase() + word.slice(1) : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join("");
  return /^[a-z]/.test(name) ? name.slice(0, 80) : "";
};

/** New property with the type of the cells. */
export const created = (column: string, cells: readonly string[]): ColumnTarget => ({
  create: propertyNameOf(column),
  type: typeOf(cells),
});

const targetOf = (target: ColumnTarget): string | null => ("create" in target ? target.create.trim() : target.to);

export const fieldsOf = ({ columns, mailingLists, updateExisting }: Settings) => ({
  mapping: Object.fromEntries(Object.entries(columns).map(([name, target]) => [name, targetOf(target) || null])),
  createProperties: Object.fromEntries(
    Object.values(columns).flatMap((target) => ("create" in target ? [[target.create.trim(), target.type]] : [])),
  ),
  mailingLists,
  updateExisting,
});

const MOST_NAMED = 10;

/** Names ignored columns: "2 columns are not imported: notes, ref." Empty if none. */
export const ignoredText = (settings: Settings): string[] => {
  const names = Object.entries(fieldsOf(settings).mapping).flatMap(([name, to]) => (to === null ? [name] : []));
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const named = names.slice(0, MOST_NAMED).join(", ");
  return [`${counted(names.length, "column")} ${names.length === 1 ? "is" : "are"} not imported: ${named}${more}.`];
};

/** Types of the target properties, by property name. */
export const typesOf = ({ columns }: Settings, { properties }: Known): Record<string, PropertyType | undefined> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, target]) => [
      name,
      "create" in target
        ? target.type
        : (properties.find((property) => property.name === target.to)?.type as PropertyType),
    ]),
  );

/** Problems by column name; "" for all columns. */
export const problemsOf = ({ columns }: Settings): Record<string, string> => {
  const problems: Record<string, string> = {};
  const used = new Map<string, string>();
  for (const [name, target] of Object.entries(columns)) {
    const to = targetOf(target);
    if ("create" in target && !/^[a-z][A-Za-z0-9]*$/.test(to ?? "")) {
      problems[name] = "The name of a property has letters and digits, and begins with a small letter.";
    } else if (to) {
      const other = used.get(to);
      if (other === undefined) used.set(to, name);
      else problems[name] = `The column "${other}" becomes this too. Only one column can.`;
    }
  }
  if (!used.has("email") && !used.has("userId"))
    problems[""] = "One column must become the email address or the user id: else no row says whom it means.";
  return problems;
};

/** Returns kept settings if the file matches, otherwise the guess. */
export const fitting = (kept: Settings | undefined, guess: Settings): Settings => {
  const names = Object.keys(guess.columns);
  const isSame = kept !== undefined && names.every((name) => kept.columns[name] !== undefined);
  return isSame && Object.keys(kept.columns).length === names.length ? kept : guess;
};

/** True if every row would be refused. `many`: all rows of the file. */
export const isAllRefused = (many: number, rows: readonly { outcome: string }[] | undefined): boolean =>
  rows !== undefined && rows.length >= many && rows.every(({ outcome }) => outcome === "refused");
