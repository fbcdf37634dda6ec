import { faultOf, MAX_ADDRESS } from "../contract/address/form.ts";
import { type PropertyType, type WritableField, writableFields } from "../contract/contact-fields.ts";
import type { DateOrder } from "../contract/import-choices.ts";
import { type Consent, consentColumns, consentIn } from "./consent/consent.ts";
import { type Counted, countedIn } from "./consent/tally.ts";
import { isBlank } from "./consent/words.ts";

export type Mapping = Readonly<Record<string, string | null>>;

export type Target =
  | {
      kind:
        | "email"
        | "userId"
        | "fullName"
        | "createdAt"
        | "optInAt"
        | "optInSource"
        | "suppressionReason"
        | "suppressedAt";
    }
  | { kind: "consent"; consent: Consent }
  | { kind: "text"; name: string }
  | { kind: "property"; name: string; type: PropertyType }
  | { kind: "list"; id: string };

/** `index`: its place in a row. `order`: of its dates. */
export type Column = { index: number; name: string; target: Target; order?: DateOrder };

export const LIST_PREFIX = "list:";

const SIDE_FIELDS = ["fullName", "createdAt", "optInAt", "optInSource"] as const;
const SUPPRESSION_FIELDS = ["suppressionReason", "suppressedAt"] as const;
const OWN_KINDS = ["email", "userId", ...SIDE_FIELDS, ...SUPPRESSION_FIELDS] as const;
const DATE_KINDS: ReadonlySet<string> = new Set(["createdAt", "optInAt", "suppressedAt"]);

export const targetOf = (to: string, types: ReadonlyMap<string, PropertyType>): Target | undefined => {
  const consent = consentIn(to);
  if (consent) return { kind: "consent", consent };
  const own = OWN_KINDS.find((kind) => kind === to);
  if (own) return { kind: own };
  if ((writableFields as readonly string[]).includes(to)) return { kind: "text", name: to };
  if (to.startsWith(LIST_PREFIX)) return { kind: "list", id: to.slice(LIST_PREFIX.length) };
  const type = types.get(to);
  return type && { kind: "property", name: to, type };
};

/** True for a target that reads dates. */
export const readsDates = (target: Target): boolean =>
  DATE_KINDS.has(target.kind) || (target.kind === "property" && target.type === "date");

/** True for a target that several columns may have: a "no" of one of them wins. */
export const isShared = (to: string): boolean => consentIn(to) !== undefined;

type Field = WritableField | (typeof SIDE_FIELDS)[number] | (typeof SUPPRESSION_FIELDS)[number];

/** Column names without spaces and accents, by field: the best name first. */
const KNOWN_WORDS: Readonly<Partial<Record<Field, string>>> = {
  email:
    "email emailaddress mail subscriberemail customeremail contactemail primaryemail useremail emailadresse mailadresse correo correoelectronico courriel adressemail emailid address",
  userId: "userid externalid customerid uid",
  firstName: "firstname first givenname fname vorname prenom nombre voornaam",
  lastName: "lastname last surname familyname lname nachname nom apellido apellidos achternaam",
  source: "source signupsource subscribesource",
  userGroup: "usergroup group segment",
  fullName: "fullname name displayname contactname customername subscribername nomcomplet nombrecompleto",
  createdAt:
    "createdat created createdon createddate createdatutc createdutc createdate creationdate datecreated dateadded dateregistered addedat addtime signupdate signedupat registeredat",
  optInAt:
    "optintime optindate optinat confirmtime confirmedat consentat consenttime consentdate consenttimestamp emailmarketingconsenttimestamp consentedat subscribedat subscribedate datesubscribed subscriptiondate optintimestamp subscribedon einwilligungam",
  optInSource: "optinsource consentsource subscriptionsource optinmethod consentmethod optinip confirmip",
};

type Known = readonly (readonly [field: string, words: readonly string[]])[];
const wordsBy = (known: typeof KNOWN_WORDS): Known =>
  Object.entries(known).map(([field, words]) => [field, words.split(" ")] as const);
const KNOWN = wordsBy(KNOWN_WORDS);
const fieldsOf = (isOne: (field: string) => boolean): Known => KNOWN.filter(([field]) => isOne(field));

const KNOWN_SUPPRESSIONS = {
  suppressionReason: "suppressionreason reason bouncetype type code suppressiontype".split(" "),
  suppressedAt: "suppressedat since lastupdatetime createdat created date bouncedat addedat timestamp time".split(" "),
};

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^a-z0-9]/g, "");

type KnownTargets = { properties: readonly string[]; lists: readonly { id: string; name: string }[] };

/** Guesses a mapping by names of fields, properties and lists, and by the answers of the cells. */
export const guessMapping = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  known: KnownTargets,
  counted: Counted = countedIn(columns, rows),
): Mapping => {
  const consent = new Map(consentColumns(columns, counted).map(({ column, to }) => [column, to]));
  const own = new Map<string, string>([
    ...known.lists.map(({ id, name }): [string, string] => [plain(name), `${LIST_PREFIX}${id}`]),
    ...known.properties.map((name): [string, string] => [plain(name), name]),
  ]);
  own.delete("");
  const guess = new Map<string, string>();
  const taken = new Set<string>();
  const take = (column: string | undefined, to: string): void => {
    if (column === undefined || guess.has(column) || (taken.has(to) && !isShared(to))) return;
    guess.set(column, to);
    taken.add(to);
  };
  for (const column of columns) {
    const to = own.get(plain(column));
    if (to !== undefined && (to.startsWith(LIST_PREFIX) || !consent.has(column))) take(column, to);
  }
  for (const [column, to] of consent) if (to !== null) take(column, to);
  const takeFields = (known: Known): void => {
    for (const [field, words] of known) {
      for (const word of words) {
        const index = columns.findIndex(
          (column) => plain(column) === word && !guess.has(column) && !consent.has(column),
        );
        const fits = field !== "email" || hasAddresses(rows, index, "some") || !hasCells(rows, index);
        if (index !== -1 && fits) take(columns[index], field);
      }
    }
  };
  takeFields(fieldsOf((field) => field === "email"));
  if (!taken.has("email")) take(columns[columns.findIndex((_, at) => hasAddresses(rows, at, "every"))], "email");
  takeFields(fieldsOf((field) => field !== "email" && field !== "fullName"));
  if (!taken.has("firstName") && !taken.has("lastName")) takeFields(fieldsOf((field) => field === "fullName"));
  return Object.fromEntries(columns.map((column) => [column, guess.get(column) ?? null]));
};

const suppressionColumn = (
  columns: readonly string[],
  field: keyof typeof KNOWN_SUPPRESSIONS,
  email: string | undefined,
): string | undefined =>
  KNOWN_SUPPRESSIONS[field]
    .map((word) => columns.find((column) => plain(column) === word && column !== email))
    .find((column) => column !== undefined);

/**
 * Mapping of a file of suppressed addresses, where a column of reasons is guessed as one of who gets mail: its reasons
 * count, since a soft bounce suppresses no address.
 */
export const withReasons = (columns: readonly string[], mapping: Mapping, counted: Counted | undefined): Mapping => {
  const reason = suppressionColumn(columns, "suppressionReason", undefined);
  if (reason === undefined || Object.values(mapping).includes("suppressionReason")) return mapping;
  const to = mapping[reason] ?? null;
  const saysNo = () => counted && consentColumns(columns, counted).some(({ column }) => column === reason);
  return (to === null ? saysNo() : isShared(to)) ? { ...mapping, [reason]: "suppressionReason" } : mapping;
};

/** Guesses a mapping of suppressed addresses with reason and time. */
export const guessSuppressions = (columns: readonly string[], rows: readonly (readonly string[])[]): Mapping => {
  const guessed = guessMapping(columns, rows, { properties: [], lists: [] });
  const email = columns.find((column) => guessed[column] === "email");
  const [reason, at] = [
    suppressionColumn(columns, "suppressionReason", email),
    suppressionColumn(columns, "suppressedAt", email),
  ];
  const to = (column: string): string | null =>
    column === email ? "email" : column === reason ? "suppressionReason" : column === at ? "suppressedAt" : null;
  return Object.fromEntries(columns.map((column) => [column, to(column)]));
};

const cellsOf = (rows: readonly (readonly string[])[], index: number): string[] =>
  rows.flatMap((row) => (isBlank(row[index] ?? "") ? [] : (row[index] ?? "")));

const hasCells = (rows: readonly (readonly string[])[], index: number): boolean => cellsOf(rows, index).length > 0;

/** True if some cells of a column look like addresses, or all are some. */
export const hasAddresses = (rows: readonly (readonly string[])[], index: number, many: "some" | "every"): boolean => {
  const cells = cellsOf(rows, index);
  return cells.length > 0 && (many === "some" ? cells.some((cell) => cell.includes("@")) : cells.every(isAddress));
};

export const isAddress = (cell: string): boolean => {
  const address = cell.trim();
  return address.includes("@") && address.length <= MAX_ADDRESS && faultOf(address) === undefined;
};
