import type { PropertyType, WritableField } from "../../../../../lib/contract/contact-fields.ts";
import type { DateOrder, SuppressionReason } from "../../../../../lib/contract/import-choices.ts";
import type { Counted } from "../../../../../lib/imports/consent/tally.ts";
import { guessMapping, guessSuppressions, isShared, LIST_PREFIX } from "../../../../../lib/imports/mapping.ts";
import { isLostByName, lostColumns, readsConsent, type Signs } from "../../../../../lib/imports/signs.ts";
import { typeOf } from "../../../../../lib/imports/values.ts";
import { counted } from "../../../parts/ledger/ledger-words.ts";

/** Target of a column: existing field, nothing, or a new property. */
export type ColumnTarget = { to: string | null } | { create: string; type: PropertyType };

export type Settings = {
  columns: Record<string, ColumnTarget>;
  mailingLists: string[];
  updateExisting: boolean;
  triggerWorkflows: boolean;
  dates: Record<string, DateOrder>;
  skipBadCells: boolean;
  allUnsubscribed: boolean;
  /** Reason by which each address is suppressed; "" where contacts are imported. */
  suppressAs: SuppressionReason | "";
  /** Columns that a person ignores by name, or the file by its name. */
  ignoreConsent: string[];
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
  subscribed: "Subscribed (yes, no or a state)",
};

const MORE_FIELDS: readonly (readonly [value: string, label: string])[] = [
  ["unsubscribed", "Not subscribed (yes, a time or a reason)"],
  ["fullName", "Full name: a guess of both names"],
  ["createdAt", "Created at"],
  ["optInAt", "Agreed to get mail at"],
  ["optInSource", "Agreed to get mail where"],
];
const SUPPRESSION_FIELDS: typeof MORE_FIELDS = [
  ["email", FIELDS.email],
  ["suppressionReason", "Reason of the suppression"],
  ["suppressedAt", "Suppressed at"],
];
const itemsOf = (fields: typeof MORE_FIELDS) => fields.map(([value, label]) => ({ value, label }));

/** Words by which a column answers, from its mapping: `Not subscribed where the cell is: cleaned, gone`. */
const wordsLabel = (to: string): string => {
  const [asks = "", words = ""] = to.split(/:(.*)/s);
  return `${asks === "subscribed" ? "Subscribed" : "Not subscribed"} where the cell is: ${words.replaceAll("|", ", ")}`;
};

export const IGNORE = "";
export const CREATE = " create";

/** Lists that take contacts. Duplicate names get their ids. */
export const listChoices = (lists: Known["lists"]): { value: string; label: string }[] => {
  const open = lists.filter(({ isArchived }) => !isArchived);
  const isShared = (name: string) => open.filter((one) => one.name === name).length > 1;
  return open.map(({ id, name }) => ({ value: id, label: isShared(name) ? `${name} (${id})` : name }));
};

/** Column targets for suppressed addresses. */
export const suppressionChoices = [
  { value: IGNORE, label: "Ignore" },
  { group: "Suppression", items: itemsOf(SUPPRESSION_FIELDS) },
];

/** Column targets in groups, without archived lists. `worded`: mappings with words that columns have. */
export const choicesOf = ({ properties, lists }: Known, worded: readonly string[] = []) => [
  { value: IGNORE, label: "Ignore" },
  {
    group: "Contact",
    items: [
      ...Object.entries(FIELDS).map(([value, label]) => ({ value, label })),
      ...itemsOf(MORE_FIELDS),
      ...worded.map((value) => ({ value, label: wordsLabel(value) })),
    ],
  },
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
export const guessOf = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  known: Known,
  tallies?: Counted,
): Settings => {
  const open = known.lists.filter(({ isArchived }) => !isArchived);
  const names = known.properties.map(({ name }) => name);
  const guessed = guessMapping(columns, rows, { properties: names, lists: open }, tallies);
  return settingsOf(guessed);
};

/** Settings from a stored mapping. */
export const settingsOf = (mapping: Readonly<Record<string, string | null>>): Settings => ({
  columns: Object.fromEntries(Object.entries(mapping).map(([name, to]) => [name, { to }])),
  mailingLists: [],
  updateExisting: true,
  triggerWorkflows: false,
  dates: {},
  skipBadCells: false,
  allUnsubscribed: false,
  suppressAs: "",
  ignoreConsent: [],
});

/** The same settings with the columns of a file of suppressed addresses, or of contacts again. */
export const suppressing = (
  settings: Settings,
  suppressAs: Settings["suppressAs"],
  ...[columns, rows, contacts]: [readonly string[], readonly (readonly string[])[], Settings]
): Settings => {
  if ((settings.suppressAs === "") === (suppressAs === "")) return { ...settings, suppressAs };
  const of = suppressAs === "" ? contacts : settingsOf(guessSuppressions(columns, rows));
  return { ...settings, columns: of.columns, suppressAs };
};

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

export const fieldsOf = ({
  columns,
  mailingLists,
  updateExisting,
  dates,
  skipBadCells,
  allUnsubscribed,
  suppressAs,
}: Settings) => ({
  mapping: Object.fromEntries(Object.entries(columns).map(([name, target]) => [name, targetOf(target) || null])),
  createProperties: Object.fromEntries(
    Object.values(columns).flatMap((target) => ("create" in target ? [[target.create.trim(), target.type]] : [])),
  ),
  mailingLists,
  updateExisting,
  dates,
  skipBadCells,
  allUnsubscribed,
  ...(suppressAs === "" ? {} : { suppressAs }),
});

/** Questions that a person has to answer before the start: columns that would be lost, the file's name, dates. */
export const questionsOf = (settings: Settings, signs: Signs, file: string, types: ReturnType<typeof typesOf>) => {
  const { mapping } = fieldsOf(settings);
  const { allUnsubscribed, suppressAs, dates } = settings;
  const needsNoAnswer = allUnsubscribed || suppressAs !== "";
  const isDate = (name: string) => {
    const to = mapping[name] ?? "";
    return types[name] === "date" || ["createdAt", "optInAt", "suppressedAt"].includes(to);
  };
  return {
    lost: needsNoAnswer ? [] : lostColumns(signs, mapping, settings.ignoreConsent),
    byName: !needsNoAnswer && isLostByName(signs, file, mapping, settings.ignoreConsent),
    unclear: Object.keys(signs.dates).filter((name) => signs.dates[name] === "unclear" && isDate(name) && !dates[name]),
  };
};

/** True where nothing is left to answer. */
export const isAnswered = ({ lost, byName, unclear }: ReturnType<typeof questionsOf>): boolean =>
  lost.length === 0 && !byName && unclear.length === 0;

/** Names the first cell of a column that would be lost: 'Status says it in 3 cells, and would be lost. One is "gone"'. */
export const lostText = ({ column, lost }: ReturnType<typeof lostColumns>[number]): string => {
  const noes = lost.filter(({ says }) => says === "no");
  const [first] = noes.length > 0 ? noes : lost;
  const such = first === undefined || first.cell === "" ? "empty" : `"${first.cell}"`;
  const rows = counted(
    (noes.length > 0 ? noes : lost).reduce((sum, one) => sum + one.rows, 0),
    "cell",
  );
  const says =
    noes.length > 0 ? `says it in ${rows}, and would be lost` : `may say it in ${rows}, by a word that is not known`;
  return `${column} ${says}. One of them is ${such}. Let it become "Subscribed", "Not subscribed" or one of them by words, or ignore it.`;
};

/** Says what becomes of the people who said "no": "Status: 3 cells say no, and these people are not subscribed." */
export const consentText = (settings: Settings, { consent }: Signs): string[] => {
  if (settings.suppressAs !== "") return ["Each address is suppressed. No contact is created."];
  if (settings.allUnsubscribed) return ["No contact of the file is subscribed."];
  const { mapping } = fieldsOf(settings);
  return consent
    .filter((one) => one.says > 0 && readsConsent(mapping[one.column], one))
    .map(
      ({ column, says }) =>
        `${column}: ${counted(says, "cell")} ${says === 1 ? "says" : "say"} no. These people are not subscribed.`,
    );
};

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
export const problemsOf = ({ columns, suppressAs }: Settings): Record<string, string> => {
  const problems: Record<string, string> = {};
  const used = new Map<string, string>();
  for (const [name, target] of Object.entries(columns)) {
    const to = targetOf(target);
    if ("create" in target && !/^[a-z][A-Za-z0-9]*$/.test(to ?? "")) {
      problems[name] = "The name of a property has letters and digits, and begins with a small letter.";
    } else if (to) {
      const other = isShared(to) ? undefined : used.get(to);
      if (other === undefined) used.set(to, name);
      else problems[name] = `The column "${other}" becomes this too. Only one column can.`;
    }
  }
  if (suppressAs !== "" && !used.has("email")) problems[""] = "One column must become the email address.";
  else if (!used.has("email") && !used.has("userId"))
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
