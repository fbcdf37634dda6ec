export const importStatements: readonly string[] = [
  // form: JSON of encoding and delimiter. preview: JSON of the first rows. settings: JSON. cursor: k of the last
  // imported batch. Counts are of the latest run. Kept 30 days after the end; incomplete files 1 day, unstarted files
  // 7 days.
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
  // Batches of rows, as JSON. k: 1, 2, 3 … Deleted in the transaction that imports them.
  `CREATE TABLE import_rows (
      import INTEGER NOT NULL,
      k INTEGER NOT NULL,
      batch TEXT NOT NULL,
      PRIMARY KEY (import, k)
    ) STRICT, WITHOUT ROWID`,
  // Lines of the outcome file, per batch, without row values.
  `CREATE TABLE import_outcomes (
      import INTEGER NOT NULL,
      k INTEGER NOT NULL,
      lines TEXT NOT NULL,
      PRIMARY KEY (import, k)
    ) STRICT, WITHOUT ROWID`,
  // New identifiers in a dry run: a second row of the same person counts as an update.
  `CREATE TABLE import_seen (
      import INTEGER NOT NULL,
      identifier TEXT NOT NULL,
      PRIMARY KEY (import, identifier)
    ) STRICT, WITHOUT ROWID`,
  // Lists that a contact left: imports never add it again. Kept until it rejoins or is deleted.
  `CREATE TABLE left_lists (
      contact INTEGER NOT NULL,
      list TEXT NOT NULL,
      PRIMARY KEY (contact, list)
    ) STRICT, WITHOUT ROWID`,
];
