import type { Contact, Link } from "../../rules/types.ts";

/**
 * A row of links and watermarks. Reliability rises from "ref:stripe:cus_1" to "email:ada@example.com" to "user:42".
 * `next_key` points one step up; the last key is the person.
 */
export type ContactRow = {
  key: string;
  next_key: string | null;
  email: string | null;
  /** Unix ms of the link's event. An older event does not overwrite it. */
  learned_at: number;
  /** 2 account, 1 purchase, 0 document, -1 unverified. A weaker link overwrites nothing. */
  strength: number;
  /** JSON. */
  watermarks: string | null;
  /** JSON. */
  subscriptions: string | null;
  seen_at: number;
};

/** Returns a contact's keys, most reliable first. */
export const keysOf = (contact: Contact): string[] => [
  ...(contact.userId ? [`user:${contact.userId}`] : []),
  ...(contact.email ? [`email:${contact.email.toLowerCase()}`] : []),
  ...(contact.ref ? [`ref:${contact.ref}`] : []),
];

export const readRow = (sql: SqlStorage, key: string): ContactRow | undefined =>
  sql.exec<ContactRow>("SELECT * FROM contacts WHERE key = ?", key).toArray()[0];

/** Reads rows by key. A writer must call `written`. */
export type Rows = { read(key: string): ContactRow | undefined; written(): void };

export const rowsOneByOne = (sql: SqlStorage): Rows => ({ read: (key) => readRow(sql, key), written: () => {} });

/** Characters; an SQLite value holds two million bytes. */
const MAX_KEYS = 300_000;

/** Reads all linked rows in one query. Use the result before the next `await`. */
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

/** One more key than ref, email and user id, in case rows are damaged. */
const MAX_CHAIN = 4;

/** Returns a key and its chain; the last key is the person. */
export const chainOf = (sql: SqlStorage, key: string): string[] => {
  const chain = [key];
  for (let next = readRow(sql, key)?.next_key; next && chain.length < MAX_CHAIN; next = readRow(sql, next)?.next_key)
    chain.push(next);
  return chain;
};

export const personOf = (sql: SqlStorage, key: string): string => chainOf(sql, key).at(-1) ?? key;
