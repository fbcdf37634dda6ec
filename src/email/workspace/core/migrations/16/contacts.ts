export const contactStatements: readonly string[] = [
  // Largest deleted row number, never reused; 0 if none.
  "ALTER TABLE team ADD COLUMN last_contact INTEGER NOT NULL DEFAULT 0",
  `CREATE TRIGGER newest_contact_deleted AFTER DELETE ON contacts WHEN OLD.n > (SELECT coalesce(max(n), 0) FROM contacts)
     BEGIN
       UPDATE team SET last_contact = OLD.n WHERE last_contact < OLD.n;
     END`,
  "ALTER TABLE properties ADD COLUMN description TEXT NOT NULL DEFAULT ''",
  // Deleted properties with values still being erased. after: last processed contact row.
  "CREATE TABLE removed_properties (name TEXT PRIMARY KEY, after INTEGER NOT NULL) STRICT, WITHOUT ROWID",
];
