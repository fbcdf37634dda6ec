import type { Contact } from "../../rules/types.ts";
import { ERASED } from "../model/calls.ts";
import { keysOf, readRow } from "./links.ts";

/** What a person is looked for by. A `ref` is a provider's own id, with its source before it ("stripe:cus_1") or alone. */
export type Who = { email?: string; userId?: string; ref?: string };

/** Everything that is known to name one person. */
export type Person = {
  /** Keys of the table of contacts. */
  keys: ReadonlySet<string>;
  /** A provider's id without its source. */
  bareRef?: string;
};

/** An id that is shorter is too likely to stand in a text for something else: it is looked for as a whole value only. */
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

/** What a text that names this person has in it. */
export const namesOf = ({ keys, bareRef }: Person): Names => {
  const all = [...keys].map((key) => key.split(":"));
  const ids = all.flatMap(([kind, ...rest]) =>
    kind === "user" ? [rest.join(":")] : kind === "ref" ? [rest.slice(1).join(":")] : [],
  );
  return {
    emails: all.flatMap(([kind, ...rest]) => (kind === "email" ? [rest.join(":")] : [])),
    ids: [...new Set([...ids, ...(bareRef === undefined ? [] : [bareRef])])].filter((id) => id !== ""),
  };
};

/** Names without ids that are so short that they stand for other things too. */
export const sureNames = ({ emails, ids }: Names): Names => ({
  emails,
  ids: ids.filter(({ length }) => length >= SHORTEST_ID),
});

/**
 * What a body surely has in it if it names the person, lower case: the longest run of letters and digits of each name.
 * A JSON text may write every other character in another way (`\u002B` for `+`).
 */
export const hintsOf = ({ emails, ids }: Names): string[] =>
  [...emails, ...ids].map((name) =>
    (name.match(/[a-z0-9]+/gi) ?? [""]).reduce((a, b) => (b.length > a.length ? b : a)).toLowerCase(),
  );

/** A string of a JSON text with the colon after it where it is a key, or a number. Works on a text of any depth. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Keys whose values are ids of people. */
const OF_ID = /(^|[_.-])(u?id|sub|user|customer|account|member|owner)$|I[dD]$/i;

/** Finds the names of one person, and takes them out. A short id is known by the whole value and its key only. */
export type Finder = {
  /** True when a value of a JSON text names the person: a string that has an address or id in it, or a number that is one. */
  isIn(json: string): boolean;
  /** A JSON text with the names taken out of its values. Its keys stay what they are. */
  outOf(json: string): string;
  /** A plain text without addresses and ids. */
  outOfText(text: string): string;
};

/** @param shortest letters from which an id is looked for inside of texts too */
export const finderOf = ({ emails, ids }: Names, shortest = SHORTEST_ID): Finder => {
  const sure = ids.filter(({ length }) => length >= shortest);
  const addresses = patternOf(emails, "gi");
  const words = patternOf(sure, "g");
  const whole = new Set(ids);
  const outOfText = (text: string): string => {
    const left = addresses ? text.replaceAll(addresses, ERASED) : text;
    return words ? left.replaceAll(words, ERASED) : left;
  };
  // "1" is a count more often than a person: a short id is one where its key says so.
  const isWhole = (value: string, key: string) =>
    whole.has(value) && (value.length >= SHORTEST_ID || shortest < SHORTEST_ID || OF_ID.test(key));
  const outOfValue = (value: string, key: string): string => (isWhole(value, key) ? ERASED : outOfText(value));
  return {
    isIn: (json) => {
      let key = "";
      for (const [token, literal, colon] of json.matchAll(TOKENS)) {
        const value = literal === undefined ? token : textOf(literal);
        // Of keys an address alone is one for sure.
        if (colon !== undefined) {
          key = value;
          if (value.includes("@") && addresses && value.search(addresses) >= 0) return true;
        } else if (literal === undefined ? isWhole(value, key) : outOfValue(value, key) !== value) return true;
      }
      return false;
    },
    outOf: (json) => {
      let key = "";
      return json.replaceAll(TOKENS, (token: string, literal: string | undefined, colon: string | undefined) => {
        if (colon !== undefined) key = textOf(literal ?? "");
        if (colon !== undefined) return token;
        if (literal === undefined) return isWhole(token, key) ? JSON.stringify(ERASED) : token;
        const text = textOf(literal);
        const left = outOfValue(text, key);
        return left === text ? token : JSON.stringify(left);
      });
    },
    outOfText,
  };
};

const textOf = (literal: string): string => {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.slice(1, -1);
  }
};

/** A name, plain and as it stands in a URL. */
const formsOf = (name: string): string[] => {
  const encoded = encodeURIComponent(name.toWellFormed());
  // An address in an address in an address: redirects.
  return [...new Set([name, encoded, encodeURIComponent(encoded)])];
};

/** Names that are not part of a longer one. */
const patternOf = (names: readonly string[], flags: "g" | "gi"): RegExp | undefined => {
  if (names.length === 0) return undefined;
  const forms = names.flatMap(formsOf).sort((a, b) => b.length - a.length);
  const any = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<=^|[^\\w.+%-]|%[0-9A-Fa-f]{2})(?:${any})(?![\\w-]|\\.\\w)`, flags);
};
