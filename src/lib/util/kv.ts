/** Reads a named value of the table `kv`. */
export const readValue = <T>(sql: SqlStorage, name: string): T | undefined => {
  const row = sql.exec<{ value: string }>("SELECT value FROM kv WHERE name = ?", name).toArray()[0];
  return row && (JSON.parse(row.value) as T);
};

/** Writes a value in one row. Undefined deletes it. */
export const saveValue = (sql: SqlStorage, name: string, value: unknown): void => {
  if (value === undefined) sql.exec("DELETE FROM kv WHERE name = ?", name);
  else sql.exec("INSERT OR REPLACE INTO kv (name, value) VALUES (?, ?)", name, JSON.stringify(value));
};
