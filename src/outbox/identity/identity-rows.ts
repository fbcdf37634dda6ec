import type { Contact } from "../../rules/types.ts";

/**
 * A row of links and watermarks. Reliability rises from "ref:stripe:pi_1" to "ref:stripe:cus_1" to
 * "email:ada@example.com" to "user:42". `next_key` points one step up; the last key is the person.
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
  /** JSON. */
  customers: string | null;
  seen_at: number;
  /** Unix ms; null for a link without an end. */
  ends_at: number | null;
};

/** Returns a contact's keys, most reliable first. */
export const keysOf = ({ userId, email, ref }: Contact): string[] => {
  const keys: string[] = [];
  if (userId) keys.push(`user:${userId}`);
  if (email) keys.push(`email:${email.toLowerCase()}`);
  if (ref) keys.push(`ref:${ref}`);
  return keys;
};

/** Rows of one commit, kept in memory. A writer must call `written`, with the key if it wrote only that row. */
export type Rows = { read(key: string): ContactRow | undefined; written(key?: string): void };

/** A reader takes the database, or the rows that a commit has read. */
export type RowSource = SqlStorage | Rows;

export const readRow = (from: RowSource, key: string): ContactRow | undefined =>
  "read" in from ? from.read(key) : from.exec<ContactRow>("SELECT * FROM contacts WHERE key = ?", key).toArray()[0];

export const rowsOneByOne = (sql: SqlStorage): Rows => ({ read: (key) => readRow(sql, key), written: () => {} });

/** Characters; an SQLite value holds two million bytes. */
const MAX_KEYS = 300_000;

/** Reads the rows of these contacts in one query, others one by one. Use the result before the next `await`. */
export const rowsOf = (sql: SqlStorage, contacts: readonly Contact[]): Rows => {
  const keys = [...new Set(contacts.flatMap(keysOf))];
  const asked = JSON.stringify(keys);
  const known = new Map<string, ContactRow | undefined>();
  // SQLite would return half a surrogate pair as another key.
  if (keys.length > 0 && asked.length <= MAX_KEYS && keys.every((key) => key.isWellFormed())) {
    for (const key of keys) known.set(key, undefined);
    const found = sql.exec<ContactRow>(
      "SELECT contacts.* FROM json_each(?) AS asked CROSS JOIN contacts ON contacts.key = asked.value",
      asked,
    );
    for (const row of found.toArray()) known.set(row.key, row);
  }
  return {
    read: (key) => {
      if (!known.has(key)) known.set(key, readRow(sql, key));
      return known.get(key);
    },
    written: (key) => {
      if (key === undefined) known.clear();
      else known.delete(key);
    },
  };
};

export const REF = "ref:";
export const isRef = (key: string): boolean => key.startsWith(REF);

/** One more key than two refs, email and user id, in case rows are damaged. */
const MAX_CHAIN = 5;

/** Returns a key and its chain; the last key is the person. A chain of refs alone may end with their own address. */
export const chainOf = (from: RowSource, key: string): string[] => {
  const chain = [key];
  let address: string | null | undefined;
  for (let row = readRow(from, key); row; row = readRow(from, chain.at(-1) as string)) {
    if (isRef(row.key)) address = row.email ?? address;
    if (!row.next_key || chain.length === MAX_CHAIN) break;
    chain.push(row.next_key);
  }
  return address && isRef(chain.at(-1) as string)
    ? [...chain, ...chainOf(from, `email:${address.toLowerCase()}`)]
    : chain;
};

export const personOf = (from: RowSource, key: string): string => chainOf(from, key).at(-1) ?? key;
