export const countStatements: readonly string[] = [
  // result: JSON without contacts. at: Unix ms.
  "CREATE TABLE kept_counts (name TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) STRICT, WITHOUT ROWID",
];
