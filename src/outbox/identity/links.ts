import type { Contact, Link } from "../../rules/types.ts";
import { chainOf, keysOf, personOf, type Rows, readRow, rowsOneByOne } from "./rows.ts";
import { readWatermarks, saveWatermarks, type Watermarks } from "./watermarks.ts";

/** All identity keys of a contact, its own and the ones they link to. Re-linking any of them may change the person. */
export const keysAround = (sql: SqlStorage, contact: Contact): string[] => [
  ...new Set(keysOf(contact).flatMap((key) => chainOf(sql, key))),
];

/** The person of a contact, by its surest identifier. Undefined when it has none. */
export const personOfContact = (sql: SqlStorage, contact: Contact): string | undefined => {
  const [surest] = keysOf(contact);
  return surest && personOf(sql, surest);
};

/**
 * The identifiers to send to the host for a contact. A ref resolves to the team's user id where one is linked (people
 * often have another address at a payment provider), else to the address. Undefined while no webhook has linked the ref.
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
  // With the address from the auth provider, so that a host that knows only the address finds the same contact.
  const email = addressOfUser(sql, person);
  return { userId: person.slice("user:".length), ...(email ? { email } : {}) };
};

/** The newest address of a user, unless it now belongs to another user. */
const addressOfUser = (sql: SqlStorage, user: string): string | undefined => {
  const email = readRow(sql, user)?.email;
  return email && personOf(sql, `email:${email.toLowerCase()}`) === user ? email : undefined;
};

/** The address to send mail to: the contact's own, else the one linked to its ref, else the one linked to the user. */
export const addressOf = (sql: SqlStorage, contact: Contact): string | undefined => {
  if (contact.email) return contact.email;
  const linked = contact.ref ? readRow(sql, `ref:${contact.ref}`)?.email : undefined;
  if (linked) return linked;
  const person = personOfContact(sql, contact);
  return person?.startsWith("user:") ? addressOfUser(sql, person) : undefined;
};

/**
 * Saves the identity links of a webhook. Writes only rows that change.
 *
 * @param happenedAt when the event happened, Unix ms
 * @param rows reads the rows of these links
 * @returns the keys whose person may have changed
 */
export const learnLinks = (
  sql: SqlStorage,
  links: readonly Link[],
  happenedAt: number,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] =>
  links.flatMap((link) => {
    const [top, ...below] = keysOf(link);
    if (!top) return [];
    const address = link.email ?? null;
    const changed: string[] = [];
    // The address of a user is stored on the user's own row, so that mail can be sent to a contact with only a user id.
    if (link.userId && address && point(sql, rows, top, null, address, happenedAt, now)) changed.push(top);
    below.forEach((key, step) => {
      const above = step === 0 ? top : (below[step - 1] ?? top);
      if (point(sql, rows, key, above, address, happenedAt, now)) changed.push(key);
    });
    return changed;
  });

/** Links a key to the key one step up (null: to none), unless a newer event did. True when that changed the row. */
const point = (
  sql: SqlStorage,
  rows: Rows,
  key: string,
  above: string | null,
  email: string | null,
  happenedAt: number,
  now: number,
): boolean => {
  const row = rows.read(key);
  if (row && (row.told_at > happenedAt || (row.same_as === above && row.email === email))) return false;
  const marks = row?.marks ?? null;
  // Watermarks of an address move to the user that the address turns out to belong to.
  if (marks && above) saveWatermarks(sql, above, readWatermarks(sql, above), JSON.parse(marks) as Watermarks, now);
  sql.exec(
    `INSERT INTO contacts (key, same_as, email, told_at, marks, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (key) DO UPDATE SET same_as = ?2, email = ?3, told_at = ?4, marks = ?5, seen_at = ?6`,
    ...[key, above, email, happenedAt, above ? null : marks, now],
  );
  rows.written();
  return true;
};
