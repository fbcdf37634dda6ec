/** The part of version 16 for the row numbers of contacts, and for their properties. */
export const contactStatements: readonly string[] = [
  // The largest row number of a deleted contact that was the newest one: no other contact may have it. 0 before one was deleted.
  "ALTER TABLE team ADD COLUMN last_contact INTEGER NOT NULL DEFAULT 0",
  `CREATE TRIGGER newest_contact_deleted AFTER DELETE ON contacts WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM contacts)
     BEGIN
       UPDATE team SET last_contact = OLD.n WHERE last_contact < OLD.n;
     END`,
  // What a property is for, in the words of a person.
  "ALTER TABLE properties ADD COLUMN description TEXT NOT NULL DEFAULT ''",
  // Deleted properties whose values are being erased. after: row number of the contact up to which they are. Kept until then.
  "CREATE TABLE removed_properties (name TEXT PRIMARY KEY, after INTEGER NOT NULL) STRICT, WITHOUT ROWID",
];
