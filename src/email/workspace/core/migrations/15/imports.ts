/** The part of version 15 for imports of contacts by CSV. */
export const importStatements: readonly string[] = [
  // Files of contacts. form: JSON of encoding and delimiter. columns: JSON of their names. preview: JSON of the first rows; NULL once the
  // rows are gone. settings: JSON of what was started. cursor: k of the last batch that was imported. created, updated, unchanged,
  // refused: rows of the latest run. Kept 30 days after the end; a file that is not complete 1 day, one that is not started 7 days.
  `CREATE TABLE imports (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('uploading', 'ready', 'running', 'done', 'cancelled')),
      dry_run INTEGER NOT NULL DEFAULT 0,
      form TEXT NOT NULL,
      columns TEXT NOT NULL,
      preview TEXT,
      settings TEXT,
      rows INTEGER NOT NULL DEFAULT 0,
      cursor INTEGER NOT NULL DEFAULT 0,
      created INTEGER NOT NULL DEFAULT 0,
      updated INTEGER NOT NULL DEFAULT 0,
      unchanged INTEGER NOT NULL DEFAULT 0,
      refused INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      finished_at INTEGER
    ) STRICT`,
  "CREATE INDEX imports_state ON imports (state, n)",
  // Batches of rows of a file, as JSON. k: 1, 2, 3 … A batch is deleted in the transaction that imports it, and the rest with the import.
  `CREATE TABLE import_rows (
      import INTEGER NOT NULL,
      k INTEGER NOT NULL,
      batch TEXT NOT NULL,
      PRIMARY KEY (import, k)
    ) STRICT, WITHOUT ROWID`,
  // Lines of the outcome file, for each batch. They have no values of a row. Kept as long as the import.
  `CREATE TABLE import_outcomes (
      import INTEGER NOT NULL,
      k INTEGER NOT NULL,
      lines TEXT NOT NULL,
      PRIMARY KEY (import, k)
    ) STRICT, WITHOUT ROWID`,
  // Identifiers of new contacts that a dry run has found, so that a second row of the same person counts as an update. Kept until it ends.
  `CREATE TABLE import_seen (
      import INTEGER NOT NULL,
      identifier TEXT NOT NULL,
      PRIMARY KEY (import, identifier)
    ) STRICT, WITHOUT ROWID`,
  // Mailing lists that a contact has left: no import puts it on them again. Kept until it joins again, or is deleted.
  `CREATE TABLE left_lists (
      contact INTEGER NOT NULL,
      list TEXT NOT NULL,
      PRIMARY KEY (contact, list)
    ) STRICT, WITHOUT ROWID`,
];
