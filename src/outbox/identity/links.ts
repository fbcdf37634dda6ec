import type { Contact, Link } from "../../rules/types.ts";

/**
 * Who is who. Three kinds of key say who a person is, each a step surer than the one before: a provider's own id
 * ("ref:stripe:cus_1"), an email ("email:ada@example.com"), the team's user id ("user:42"). A row points from a key one
 * step up; the last key of that chain names the person. Two user ids are never joined: an email that moves from one
 * user to another simply points to the newer one.
 */
type ContactRow = {
  key: string;
  same_as: string | null;
  /** The address as it was written, on an email's or a ref's row. */
  email: string | null;
  /** When the webhook that told us this happened, Unix ms: older news does not overwrite it. */
  told_at: number;
  marks: string | null;
  seen_at: number;
};

export const keysOf = (contact: Contact): string[] => [
  ...(contact.userId ? [`user:${contact.userId}`] : []),
  ...(contact.email ? [`email:${contact.email.toLowerCase()}`] : []),
  ...(contact.ref ? [`ref:${contact.ref}`] : []),
];

export const readRow = (sql: SqlStorage, key: string): ContactRow | undefined =>
  sql.exec<ContactRow>("SELECT * FROM contacts WHERE key = ?", key).toArray()[0];

/** Rows of keys as they are now, and who writes one says so. */
export type Rows = { read(key: string): ContactRow | undefined; written(): void };

const rowsOneByOne = (sql: SqlStorage): Rows => ({ read: (key) => readRow(sql, key), written: () => {} });

/** Characters of keys that are asked for together; a value of SQLite may hold two million bytes. */
const MOST_KEYS = 300_000;

/**
 * Rows that these links are about, read together: most webhooks tell what is known, and then nothing more is read.
 * From the first write on, each is read when it is asked for. To be used up before anything is awaited.
 */
export const rowsOf = (sql: SqlStorage, links: readonly Link[]): Rows => {
  const keys = [...new Set(links.flatMap(keysOf))];
  const asked = JSON.stringify(keys);
  // Half a surrogate pair is read back as another key than was asked for.
  const isTogether = asked.length <= MOST_KEYS && keys.every((key) => key.isWellFormed());
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

/** A key and those it leads to; the last one names the person. */
const chainOf = (sql: SqlStorage, key: string): string[] => {
  const next = readRow(sql, key)?.same_as;
  return next ? [key, ...chainOf(sql, next)] : [key];
};

/** Follows a key to the key that names the person. */
export const personOf = (sql: SqlStorage, key: string): string => chainOf(sql, key).at(-1) ?? key;

/** Every key that has a say in who a contact is, its own and those they lead to; when one changes, so may the person. */
export const keysAround = (sql: SqlStorage, contact: Contact): string[] => [
  ...new Set(keysOf(contact).flatMap((key) => chainOf(sql, key))),
];

/** The person a call is about: the surest of its own identifiers, followed. Undefined when it has none. */
export const personOfContact = (sql: SqlStorage, contact: Contact): string | undefined => {
  const [surest] = keysOf(contact);
  return surest && personOf(sql, surest);
};

/**
 * The identifiers to write to the host for a contact. A ref is resolved: the team's user id where one is known (an
 * address at a payment provider is often another one), else the address. Undefined while no webhook has explained it.
 */
export const resolve = (sql: SqlStorage, contact: Contact): { email?: string; userId?: string } | undefined => {
  if (contact.email || contact.userId) {
    return {
      ...(contact.email ? { email: contact.email } : {}),
      ...(contact.userId ? { userId: contact.userId } : {}),
    };
  }
  const row = contact.ref ? readRow(sql, `ref:${contact.ref}`) : undefined;
  if (!row?.same_as) return undefined;
  const person = personOf(sql, row.same_as);
  if (!person.startsWith("user:")) return { email: row.email ?? person.slice("email:".length) };
  // With the address that the auth provider told, so that a host that knows only that finds the same contact.
  const email = addressOfUser(sql, person);
  return { userId: person.slice("user:".length), ...(email ? { email } : {}) };
};

/** The newest address of a user, unless it has become another user's since. */
const addressOfUser = (sql: SqlStorage, user: string): string | undefined => {
  const email = readRow(sql, user)?.email;
  return email && personOf(sql, `email:${email.toLowerCase()}`) === user ? email : undefined;
};

/** The address to send mail to: the contact's own, else the one that came with the ref, else one linked to the user. */
export const addressOf = (sql: SqlStorage, contact: Contact): string | undefined => {
  if (contact.email) return contact.email;
  const told = contact.ref ? readRow(sql, `ref:${contact.ref}`)?.email : undefined;
  if (told) return told;
  const person = personOfContact(sql, contact);
  return person?.startsWith("user:") ? addressOfUser(sql, person) : undefined;
};

/**
 * Learns what a webhook says about who is who. Writes only rows that change.
 *
 * @param rows where the rows it is about are read
 * @returns the keys whose person may be another one now
 */
export const learn = (
  sql: SqlStorage,
  links: readonly Link[],
  toldAt: number,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] =>
  links.flatMap((link) => {
    const [top, ...below] = keysOf(link);
    if (!top) return [];
    const address = link.email ?? null;
    const changed: string[] = [];
    // The address of a user id is kept on its own row, so that mail can be sent to a person known by user id only.
    if (link.userId && address && point(sql, rows, top, null, address, toldAt, now)) changed.push(top);
    below.forEach((key, step) => {
      const above = step === 0 ? top : (below[step - 1] ?? top);
      if (point(sql, rows, key, above, address, toldAt, now)) changed.push(key);
    });
    return changed;
  });

/** Points a key one step up (null: at nobody) with the address told, unless newer news did. True when that changed it. */
const point = (
  sql: SqlStorage,
  rows: Rows,
  key: string,
  above: string | null,
  email: string | null,
  toldAt: number,
  now: number,
): boolean => {
  const row = rows.read(key);
  if (row && (row.told_at > toldAt || (row.same_as === above && row.email === email))) return false;
  const marks = row?.marks ?? null;
  // What was last written of an address belongs to the user it turns out to be.
  if (marks && above) saveMarks(sql, above, readMarks(sql, above), JSON.parse(marks) as Marks, now);
  sql.exec(
    `INSERT INTO contacts (key, same_as, email, told_at, marks, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (key) DO UPDATE SET same_as = ?2, email = ?3, told_at = ?4, marks = ?5, seen_at = ?6`,
    ...[key, above, email, toldAt, above ? null : marks, now],
  );
  rows.written();
  return true;
};

/** Per property: when the newest value that landed had happened, and the rank of its event type. */
export type Marks = Record<string, readonly [occurredAt: number, rank: number]>;

export const readMarks = (sql: SqlStorage, person: string): Marks => {
  const marks = readRow(sql, person)?.marks;
  return marks ? (JSON.parse(marks) as Marks) : {};
};

/** The mark of a contact that was deleted: no property has this name. */
export const WHOLE = "";

/** True when what landed before is newer than this: of the property, or the end of the whole contact. */
export const isStale = (marks: Marks, property: string, occurredAt: number, rank: number): boolean =>
  isNewer(marks, property, occurredAt, rank) || isNewer(marks, WHOLE, occurredAt, rank);

/** True when something of the person landed that is newer than this. */
export const isOutlived = (marks: Marks, occurredAt: number, rank: number): boolean =>
  Object.keys(marks).some((property) => isNewer(marks, property, occurredAt, rank));

const isNewer = (marks: Marks, property: string, occurredAt: number, rank: number): boolean => {
  const mark = Object.hasOwn(marks, property) ? marks[property] : undefined;
  return mark !== undefined && (mark[0] > occurredAt || (mark[0] === occurredAt && mark[1] > rank));
};

/** Advances the marks of a person; older ones never replace newer ones. One row. */
export const saveMarks = (sql: SqlStorage, person: string, known: Marks, landed: Marks, now: number): void => {
  const marks: Record<string, readonly [number, number]> = { ...known };
  for (const [property, mark] of Object.entries(landed)) {
    if (!isStale(marks, property, mark[0], mark[1])) marks[property] = mark;
  }
  sql.exec(
    `INSERT INTO contacts (key, told_at, marks, seen_at) VALUES (?1, 0, ?2, ?3)
     ON CONFLICT (key) DO UPDATE SET marks = ?2, seen_at = ?3`,
    ...[person, JSON.stringify(marks), now],
  );
};

/**
 * Goes through a slice of the people, by key, and forgets what was last written of those not seen since `before` (Unix
 * ms). Who is who stays.
 *
 * @returns the key to go on after, or undefined at the end
 */
export const purgeContacts = (sql: SqlStorage, before: number, after: string, limit: number): string | undefined => {
  const slice = sql
    .exec<ContactRow>("SELECT * FROM contacts WHERE key > ? ORDER BY key LIMIT ?", after, limit)
    .toArray();
  for (const { key, same_as, email, marks, seen_at } of slice) {
    if (seen_at >= before || same_as !== null) continue;
    if (email === null) sql.exec("DELETE FROM contacts WHERE key = ?", key);
    else if (marks !== null) sql.exec("UPDATE contacts SET marks = NULL WHERE key = ?", key);
  }
  return slice.length < limit ? undefined : slice.at(-1)?.key;
};

/** True when anybody is known: then there is something to go through. */
export const anyContact = (sql: SqlStorage): boolean => sql.exec("SELECT 1 FROM contacts LIMIT 1").toArray().length > 0;
