import { faultOf, MAX_ADDRESS } from "../contract/address/form.ts";
import { type PropertyType, type WritableField, writableFields } from "../contract/contact-fields.ts";

export type Mapping = Readonly<Record<string, string | null>>;

export type Target =
  | { kind: "email" | "userId" | "subscribed" }
  | { kind: "text"; name: string }
  | { kind: "property"; name: string; type: PropertyType }
  | { kind: "list"; id: string };

/** `index`: its place in a row. */
export type Column = { index: number; name: string; target: Target };

export const LIST_PREFIX = "list:";

export const targetOf = (to: string, types: ReadonlyMap<string, PropertyType>): Target | undefined => {
  if (to === "email" || to === "userId" || to === "subscribed") return { kind: to };
  if ((writableFields as readonly string[]).includes(to)) return { kind: "text", name: to };
  if (to.startsWith(LIST_PREFIX)) return { kind: "list", id: to.slice(LIST_PREFIX.length) };
  const type = types.get(to);
  return type && { kind: "property", name: to, type };
};

/** Column names without spaces and accents, by field. */
const KNOWN: Readonly<Record<WritableField, readonly string[]>> = {
  email: ["email", "emailaddress", "mail", "address", "subscriberemail", "emailadresse", "correo", "courriel"],
  userId: ["userid", "externalid", "customerid", "uid"],
  firstName: ["firstname", "first", "givenname", "fname", "vorname", "prenom"],
  lastName: ["lastname", "last", "surname", "familyname", "lname", "nachname", "nom"],
  source: ["source", "signupsource"],
  subscribed: ["subscribed", "issubscribed", "optin", "marketingconsent"],
  userGroup: ["usergroup", "group", "segment"],
};

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^a-z0-9]/g, "");

/** Guesses a mapping by names of fields, properties and lists. */
export const guessMapping = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  known: { properties: readonly string[]; lists: readonly { id: string; name: string }[] },
): Mapping => {
  const names = new Map<string, string>([
    ...known.lists.map(({ id, name }): [string, string] => [plain(name), `${LIST_PREFIX}${id}`]),
    ...known.properties.map((name): [string, string] => [plain(name), name]),
    ...Object.entries(KNOWN).flatMap(([field, words]) => words.map((word): [string, string] => [word, field])),
  ]);
  names.delete("");
  const taken = new Set<string>();
  const take = (name: string | undefined): string | null => {
    if (name === undefined || taken.has(name)) return null;
    taken.add(name);
    return name;
  };
  const guessed = columns.map((column): [string, string | null] => [column, take(names.get(plain(column)))]);
  if (!taken.has("email")) {
    const index = columns.findIndex((_, at) => hasAddresses(rows, at));
    const [column, to] = guessed[index] ?? [];
    if (column !== undefined && to === null) guessed[index] = [column, "email"];
  }
  return Object.fromEntries(guessed);
};

const hasAddresses = (rows: readonly (readonly string[])[], index: number): boolean => {
  const cells = rows.flatMap((row) => row[index] || []);
  return cells.length > 0 && cells.every(isAddress);
};

export const isAddress = (cell: string): boolean => {
  const address = cell.trim();
  return address.includes("@") && address.length <= MAX_ADDRESS && faultOf(address) === undefined;
};
