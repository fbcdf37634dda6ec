import type { Contact } from "../../rules/types.ts";
import { chainOf, keysOf } from "./rows.ts";

/** The identifiers by which a person is looked up. A `ref` is a provider's own id, with its source ("stripe:cus_1") or without. */
export type PersonQuery = { email?: string; userId?: string; ref?: string };

/** All identifiers of one person. */
export type Person = {
  /** Keys of the table `contacts`. */
  keys: ReadonlySet<string>;
  /** A provider's id without its source. */
  bareRef?: string;
};

/**
 * Every identifier known to belong to the same person as the given one. Scans the table `contacts` once: an index for
 * this would cost a row for every link, and people are looked up rarely.
 */
export const findPerson = (sql: SqlStorage, { email, userId, ref }: PersonQuery): Person => {
  const bareRef = ref !== undefined && !ref.includes(":") ? ref : undefined;
  const named = keysOf({ email, userId, ...(bareRef === undefined ? { ref } : {}) });
  const refs = bareRef === undefined ? [] : refKeys(sql).filter((key) => key.endsWith(`:${bareRef}`));
  const seeds = [...named, ...refs];
  const chains = seeds.map((seed) => chainOf(sql, seed));
  const tops = chains.flatMap((chain) => chain.at(-1) ?? []);
  const emails = keysBelow(sql, "email", tops);
  const unverified = usersWith(sql, [...seeds, ...emails]);
  const below = keysBelow(sql, "ref", [...tops, ...emails]);
  const keys = new Set([...seeds, ...chains.flat(), ...emails, ...below, ...unverified]);
  return bareRef === undefined ? { keys } : { keys, bareRef };
};

/** Keys of users whose unverified accounts have one of these addresses. */
const usersWith = (sql: SqlStorage, keys: readonly string[]): string[] =>
  sql
    .exec<{ key: string }>(
      `SELECT key FROM contacts WHERE key >= 'user:' AND key < 'user;' AND strength < 0
         AND 'email:' || lower(email) IN (SELECT value FROM json_each(?))`,
      JSON.stringify(keys),
    )
    .toArray()
    .map(({ key }) => key);

/** Keys of one kind that link to one of these. */
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

const refKeys = (sql: SqlStorage): string[] =>
  sql
    .exec<{ key: string }>("SELECT key FROM contacts WHERE key >= 'ref:' AND key < 'ref;'")
    .toArray()
    .map(({ key }) => key);

/** True when a call with this contact is about the person. */
export const isAbout = ({ keys, bareRef }: Person, contact: Contact): boolean =>
  keysOf(contact).some((key) => keys.has(key)) ||
  (bareRef !== undefined && contact.ref?.endsWith(`:${bareRef}`) === true);
