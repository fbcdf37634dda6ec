import type { Contact } from "../rules/types.ts";
import { keysOf, readRow } from "./identity.ts";

/** What a person is looked for by. A `ref` is a provider's own id, with its source before it ("stripe:cus_1") or alone. */
export type Who = { email?: string; userId?: string; ref?: string };

/** Everything that is known to name one person. */
export type Person = {
  /** Keys of the table of contacts. */
  keys: ReadonlySet<string>;
  /** A provider's id without its source. */
  bareRef?: string;
};

/** An id that is shorter is too likely to stand in a body for something else. */
const SHORTEST_ID = 6;
/** Longest chain there can be: ref, email, user id. */
const LONGEST_CHAIN = 4;

const chainFrom = (sql: SqlStorage, key: string): string[] => {
  const chain = [key];
  for (let next = readRow(sql, key)?.same_as; next && chain.length < LONGEST_CHAIN; next = readRow(sql, next)?.same_as)
    chain.push(next);
  return chain;
};

/**
 * All identifiers of whom an identifier names, through what webhooks have told. Reads the table of contacts once: it
 * has no index for this, since every link would pay for it and few people are ever looked for.
 */
export const findPerson = (sql: SqlStorage, { email, userId, ref }: Who): Person => {
  const bareRef = ref !== undefined && !ref.includes(":") ? ref : undefined;
  const named = keysOf({ email, userId, ...(bareRef === undefined ? { ref } : {}) });
  const refs = bareRef === undefined ? [] : keysIn(sql, "ref").filter((key) => key.endsWith(`:${bareRef}`));
  const seeds = [...named, ...refs];
  const tops = seeds.flatMap((seed) => chainFrom(sql, seed).at(-1) ?? []);
  const emails = keysBelow(sql, "email", tops);
  const below = keysBelow(sql, "ref", [...tops, ...emails]);
  const keys = new Set([...seeds, ...seeds.flatMap((seed) => chainFrom(sql, seed)), ...emails, ...below]);
  return bareRef === undefined ? { keys } : { keys, bareRef };
};

/** Keys of one kind that point at one of these. */
const keysBelow = (sql: SqlStorage, kind: "email" | "ref", above: readonly string[]): string[] =>
  above.length === 0
    ? []
    : sql
        .exec<{ key: string }>(
          `SELECT key FROM contacts WHERE key >= ?1 || ':' AND key < ?1 || ';' AND same_as IN (SELECT value FROM json_each(?2))`,
          ...[kind, JSON.stringify(above)],
        )
        .toArray()
        .map(({ key }) => key);

const keysIn = (sql: SqlStorage, kind: "ref"): string[] =>
  sql
    .exec<{ key: string }>("SELECT key FROM contacts WHERE key >= ?1 || ':' AND key < ?1 || ';'", kind)
    .toArray()
    .map(({ key }) => key);

/** True when a call is about this person. */
export const isAbout = ({ keys, bareRef }: Person, contact: Contact): boolean =>
  keysOf(contact).some((key) => keys.has(key)) ||
  (bareRef !== undefined && contact.ref?.endsWith(`:${bareRef}`) === true);

/** How a person is named in a text. */
export type Names = {
  /** Lower case. */
  emails: readonly string[];
  /** Of the team or of a provider. */
  ids: readonly string[];
};

/** What a body that names this person has in it. Ids too short to tell are left out. */
export const namesOf = ({ keys, bareRef }: Person): Names => {
  const all = [...keys].map((key) => key.split(":"));
  const ids = all.flatMap(([kind, ...rest]) =>
    kind === "user" ? [rest.join(":")] : kind === "ref" ? [rest.slice(1).join(":")] : [],
  );
  return {
    emails: all.flatMap(([kind, ...rest]) => (kind === "email" ? [rest.join(":")] : [])),
    ids: [...ids, ...(bareRef === undefined ? [] : [bareRef])].filter((id) => id.length >= SHORTEST_ID),
  };
};

/**
 * What a body surely has in it if it names the person, lower case: the longest run of letters and digits of each name.
 * A JSON text may write every other character in another way (`\u002B` for `+`).
 */
export const hintsOf = ({ emails, ids }: Names): string[] =>
  [...emails, ...ids].map((name) =>
    (name.match(/[a-z0-9]+/gi) ?? [""]).reduce((a, b) => (b.length > a.length ? b : a)).toLowerCase(),
  );

/** True when a string of a JSON text names the person: an address anywhere in it, an id as the whole of it. */
export const isNamedIn = (json: string, { emails, ids }: Names): boolean => {
  const addresses = emails.flatMap(formsOf).map((form) => wholeOf(form, "i"));
  for (const [literal] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g)) {
    const text = literal.includes("\\") ? textOf(literal) : literal.slice(1, -1);
    if (ids.includes(text) || addresses.some((pattern) => pattern.test(text))) return true;
  }
  return false;
};

const textOf = (literal: string): string => {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.slice(1, -1);
  }
};

/** An address, plain and as it stands in a URL. */
const formsOf = (email: string): string[] => [...new Set([email, encodeURIComponent(email.toWellFormed())])];

/** A name that is not part of a longer one. */
const wholeOf = (name: string, flags: "i" | "gi"): RegExp =>
  new RegExp(`(?<![\\w.+%-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-]|\\.\\w)`, flags);

/** A text without the addresses and ids of a person. */
export const withoutNames = (text: string, { emails, ids }: Names): string => {
  const erased = emails.flatMap(formsOf).reduce((rest, form) => rest.replaceAll(wholeOf(form, "gi"), ERASED), text);
  return ids.reduce((rest, id) => rest.replaceAll(wholeOf(id, "gi"), ERASED), erased);
};

/** What stands where something was erased. */
export const ERASED = "[erased]";
