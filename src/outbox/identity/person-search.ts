import type { Contact } from "../../rules/types.ts";
import { chainOf, keysOf, personOf, readRow } from "./identity-rows.ts";

/** Identifiers for a search for a person. `ref` may include the source ("stripe:cus_1"). */
export type PersonQuery = { email?: string; userId?: string; ref?: string };

export type Person = {
  /** Keys of the table `contacts`. */
  keys: ReadonlySet<string>;
  /** Keys of other accounts that share an address with the person. */
  earlier: ReadonlySet<string>;
  /** Keys that share an address but stay separate, with the reason. */
  apart: ReadonlyMap<string, Apart>;
  bareRef?: string;
};

/** The reason: a purchase named the address, or another user has it now. */
type Apart = { why: "purchase" } | { why: "taken"; by: string };

const OF_ACCOUNT = 2;

/** Finds all identifiers of a person. Scans `contacts`, because an index costs a row per link. */
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

const withBelow = (sql: SqlStorage, chains: readonly (readonly string[])[]): Set<string> => {
  const tops = chains.flatMap((chain) => chain.at(-1) ?? []);
  const emails = keysBelow(sql, "email", tops);
  const refs = keysBelow(sql, "ref", [...tops, ...emails]);
  // A payment's ref points to the customer's ref.
  return new Set([...chains.flat(), ...emails, ...refs, ...keysBelow(sql, "ref", refs)]);
};

type Account = { key: string; email: string; strength: number };

const accountsWith = (sql: SqlStorage, keys: ReadonlySet<string>): Account[] =>
  sql
    .exec<Account>(
      `SELECT key, email, strength FROM contacts WHERE key >= 'user:' AND key < 'user;'
         AND 'email:' || lower(email) IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...keys]),
    )
    .toArray();

const takenFrom = (sql: SqlStorage, keys: ReadonlySet<string>): [string, Apart][] =>
  [...keys].flatMap((key): [string, Apart][] => {
    const row = key.startsWith("user:") ? readRow(sql, key) : undefined;
    if (row?.email == null) return [];
    const address = `email:${row.email.toLowerCase()}`;
    const by = personOf(sql, address);
    return keys.has(address) || by === address ? [] : [[address, { why: "taken", by }]];
  });

const keysBelow = (sql: SqlStorage, kind: "email" | "ref", above: readonly string[]): string[] =>
  above.length === 0
    ? []
    : sql
        .exec<{ key: string }>(
          `SELECT key FROM contacts WHERE key >= ?1 || ':' AND key < ?1 || ';' AND next_key IN (SELECT value FROM json_each(?2))`,
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

/** True if a delivery is about the person, or went to it before a link led elsewhere. */
export const concerns = (
  person: Person,
  { contact, sentTo }: { contact: Contact; sentTo?: Contact | undefined },
): boolean => isAbout(person, contact) || (sentTo !== undefined && isAbout(person, sentTo));

export const isAbout = ({ keys, bareRef }: Person, contact: Contact): boolean =>
  keysOf(contact).some((key) => keys.has(key)) ||
  (bareRef !== undefined && contact.ref?.endsWith(`:${bareRef}`) === true);
