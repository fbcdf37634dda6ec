import type { StoredContact } from "./contact-rows.ts";

/** Records left mailing lists and clears joined ones, so no import adds a contact to a left list. */
export const noteLeftLists = (
  sql: SqlStorage,
  { n, data: before }: StoredContact,
  { data: after }: StoredContact,
): void => {
  for (const list of Object.keys(before.mailingLists)) {
    if (after.mailingLists[list]) continue;
    sql.exec("INSERT OR IGNORE INTO left_lists (contact, list) VALUES (?, ?)", n, list);
  }
  for (const list of Object.keys(after.mailingLists)) {
    if (!before.mailingLists[list]) sql.exec("DELETE FROM left_lists WHERE contact = ? AND list = ?", n, list);
  }
};

/** Lists that a contact has left and not rejoined. */
export const leftLists = (sql: SqlStorage, contact: number): ReadonlySet<string> =>
  new Set(
    sql
      .exec<{ list: string }>("SELECT list FROM left_lists WHERE contact = ?", contact)
      .toArray()
      .map(({ list }) => list),
  );

export const contactsThatLeft = (sql: SqlStorage, list: string, contacts: readonly number[]): ReadonlySet<number> =>
  new Set(
    sql
      .exec<{ contact: number }>(
        "SELECT contact FROM left_lists WHERE contact IN (SELECT value FROM json_each(?)) AND list = ?",
        JSON.stringify(contacts),
        list,
      )
      .toArray()
      .map(({ contact }) => contact),
  );
