import type { Contact, Link } from "../../rules/types.ts";

/**
 * A row of the table `contacts`, which holds identity links and watermarks. A key names a person in one of three ways,
 * in rising order of reliability: a provider's own id ("ref:stripe:cus_1"), an email ("email:ada@example.com"), the
 * team's user id ("user:42"). `same_as` points from a key one step up; the last key of that chain is the person. Two
 * user ids are never joined: an email that moves from one user to another points to the newer one.
 */
export type ContactRow = {
  key: string;
  same_as: string | null;
  /** On the row of an email or a ref: the address as it was written. */
  email: string | null;
  /** When the event happened that this link comes from, Unix ms. An older event does not overwrite it. */
  told_at: number;
  /**
   * Of the link: 2 account, 1 purchase, 0 document, -1 the address of an unverified account, which ties nothing. A weaker link
   * does not overwrite it.
   */
  strength: number;
  /** Watermarks of the person, as JSON. */
  marks: string | null;
  /** Subscriptions of the person, as JSON. */
  subscriptions: string | null;
  seen_at: number;
};

/** The keys of a contact, the surest first. */
export const keysOf = (contact: Contact): string[] => [
  ...(contact.userId ? [`user:${contact.userId}`] : []),
  ...(contact.email ? [`email:${contact.email.toLowerCase()}`] : []),
  ...(contact.ref ? [`ref:${contact.ref}`] : []),
];

export const readRow = (sql: SqlStorage, key: string): ContactRow | undefined =>
  sql.exec<ContactRow>("SELECT * FROM contacts WHERE key = ?", key).toArray()[0];

/** Reads rows by key. The writer of a row calls `written`, so that later reads see it. */
export type Rows = { read(key: string): ContactRow | undefined; written(): void };

export const rowsOneByOne = (sql: SqlStorage): Rows => ({ read: (key) => readRow(sql, key), written: () => {} });

/** Most characters of keys in one query; a value of SQLite holds two million bytes. */
const MAX_KEYS = 300_000;

/**
 * Reads all rows that these links name in one query: most webhooks repeat links that are known already. After the first
 * write, each row is read when it is asked for. Use the result before the next `await`.
 */
export const rowsOf = (sql: SqlStorage, links: readonly Link[]): Rows => {
  const keys = [...new Set(links.flatMap(keysOf))];
  const asked = JSON.stringify(keys);
  // SQLite would return half a surrogate pair as another key.
  const isTogether = asked.length <= MAX_KEYS && keys.every((key) => key.isWellFormed());
  if (keys.length === 0 || !isTogether) return rowsOneByOne(sql);
  const found = sql.exec<ContactRow>(
    "SELECT contacts.* FROM json_each(?) AS asked CROSS JOIN contacts ON contacts.key = asked.value",
    asked,
  );
  let known: ReadonlyMap<string, ContactRow> | undefined = new Map(found.toArray().map((row) => [row.key, row]));
  return {
    read: (key) => (known ? known.get(key) : readRow(sql, key)),
    written: () => {
      known = undefined;
    },
  };
};

/** Longest chain there can be: ref, email, user id. One more is read in case rows are damaged. */
const MAX_CHAIN = 4;

/** A key and those it leads to; the last one is the person. */
export const chainOf = (sql: SqlStorage, key: string): string[] => {
  const chain = [key];
  for (let next = readRow(sql, key)?.same_as; next && chain.length < MAX_CHAIN; next = readRow(sql, next)?.same_as)
    chain.push(next);
  return chain;
};

/** Follows a key to the key of the person. */
export const personOf = (sql: SqlStorage, key: string): string => chainOf(sql, key).at(-1) ?? key;
