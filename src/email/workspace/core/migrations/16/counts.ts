/** The part of version 16 that keeps counts which take long. */
export const countStatements: readonly string[] = [
  // result: JSON. at: Unix ms. Kept until the count is made again. No contact is named in it.
  "CREATE TABLE kept_counts (name TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) STRICT, WITHOUT ROWID",
];
