/**
 * The next number of a row in a table whose numbers go up with time: microseconds, made unique. SQLite would give the
 * number of a newest row that was deleted again, and then ids made of it repeat and cursors skip.
 *
 * @param table a name of this package's own
 */
export const nextNumber = (sql: SqlStorage, table: "events" | "event_patterns" | "templates", now: number): number => {
  const last = sql.exec<{ n: number }>(`SELECT n FROM ${table} ORDER BY n DESC LIMIT 1`).toArray()[0]?.n ?? 0;
  return Math.max(last + 1, now * 1000);
};
