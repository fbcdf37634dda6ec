import type { ContactRow } from "./rows.ts";

/**
 * Goes through the contacts in order of their keys, one slice at a time, and deletes the watermarks of those not seen
 * since `before` (Unix ms). Identity links stay.
 *
 * @returns the key after which to continue, or undefined at the end
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

/** True when there is a contact to purge. */
export const anyContact = (sql: SqlStorage): boolean => sql.exec("SELECT 1 FROM contacts LIMIT 1").toArray().length > 0;
