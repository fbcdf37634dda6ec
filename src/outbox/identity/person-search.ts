import type { Contact } from "../../rules/types.ts";
import { chainOf, keysOf, personOf, readRow } from "./rows.ts";

/** The identifiers by which a person is looked up. A `ref` is a provider's own id, with its source ("stripe:cus_1") or without. */
export type PersonQuery = { email?: string; userId?: string; ref?: string };

/** All identifiers of one person. */
export type Person = {
  /** Keys of the table `contacts`. */
  keys: ReadonlySet<string>;
  /** Those of `keys` that belong to other accounts with an address of the person. */
  earlier: ReadonlySet<string>;
  /** Keys that share an address with the person and stay apart, with the reason. */
  apart: ReadonlyMap<string, Apart>;
  /** A provider's id without its source. */
  bareRef?: string;
};

/** Why a key stays apart: a purchase named the address, or the address has another user now. */
export type Apart = { why: "purchase" } | { why: "taken"; by: string };

/** Strength of the link between a user and an address: from here on, the user's own account has the address. */
const OF_ACCOUNT = 2;

/**
 * Every identifier known to belong to the same person as the given one: also those of earlier accounts, which had the
 * same address before it passed to the present account. Scans the table `contacts` once: an index for this would cost a row
 * for every link, and people are looked up rarely.
 */
export const findPerson = (sql: SqlStorage, { email, userId, ref }: PersonQuery): Person => {
  const bareRef = ref !== undefined && !ref.includes(":") ? ref : undefined;
  const named = keysOf({ email, userId, ...(bareRef === undefined ? { ref } : {}) });
  const refs = bareRef === undefined ? [] : refKeys(sql).filter((key) => key.endsWith(`:${bareRef}`));
  const chains = [...named, ...refs].map((seed) => chainOf(sql, seed));
  const present = withBelow(sql, chains);
  const accounts = accountsWith(sql, present).filter(({ key }) => !present.has(key));
  const isOwn = ({ strength }: Account) => strength >= OF_ACCOUNT || strength < 0;
  const earlier = withBelow(
    sql,
    accounts.filter(isOwn).map(({ key }) => [key]),
  );
  const keys = new Set([...present, ...earlier]);
  const purchases = accounts.filter((account) => !isOwn(account)).map(({ key }) => [key, { why: "purchase" }] as const);
  const apart = new Map<string, Apart>([...purchases, ...takenFrom(sql, keys)]);
  return { keys, earlier, apart, ...(bareRef === undefined ? {} : { bareRef }) };
};

/** The keys of these chains, and the addresses and provider's ids that lead to their last keys. */
const withBelow = (sql: SqlStorage, chains: readonly (readonly string[])[]): Set<string> => {
  const tops = chains.flatMap((chain) => chain.at(-1) ?? []);
  const emails = keysBelow(sql, "email", tops);
  return new Set([...chains.flat(), ...emails, ...keysBelow(sql, "ref", [...tops, ...emails])]);
};

type Account = { key: string; email: string; strength: number };

/** Users whose newest known address is one of these keys, also where the address has another user now. */
const accountsWith = (sql: SqlStorage, keys: ReadonlySet<string>): Account[] =>
  sql
    .exec<Account>(
      `SELECT key, email, strength FROM contacts WHERE key >= 'user:' AND key < 'user;'
         AND 'email:' || lower(email) IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...keys]),
    )
    .toArray();

/** Addresses in the rows of these users that have another user now. */
const takenFrom = (sql: SqlStorage, keys: ReadonlySet<string>): [string, Apart][] =>
  [...keys].flatMap((key): [string, Apart][] => {
    const row = key.startsWith("user:") ? readRow(sql, key) : undefined;
    if (row?.email == null) return [];
    const address = `email:${row.email.toLowerCase()}`;
    const by = personOf(sql, address);
    return keys.has(address) || by === address ? [] : [[address, { why: "taken", by }]];
  });

/** Keys of one kind that link to one of these. */
const keysBelow = (sql: SqlStorage, kind: "email" | "ref", above: readonly string[]): string[] =>
  above.length === 0
    ? []
    : sql
        .exec<{ key: string }>(
          `SELECT key FROM contacts WHERE key >= ?1 || ':' AND key < ?1 || ';' AND same_as IN (SELECT value FROM json_each(?2))`,
          kind,
          JSON.stringify(above),
        )
        .toArray()
        .map(({ key }) => key);

const refKeys = (sql: SqlStorage): string[] =>
  sql
    .exec<{ key: string }>("SELECT key FROM contacts WHERE key >= 'ref:' AND key < 'ref;'")
    .toArray()
    .map(({ key }) => key);

/** True when a call with this contact is about the person. */
export const isAbout = ({ keys, bareRef }: Person, contact: Contact): boolean =>
  keysOf(contact).some((key) => keys.has(key)) ||
  (bareRef !== undefined && contact.ref?.endsWith(`:${bareRef}`) === true);
