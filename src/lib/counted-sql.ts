/**
 * Passes all statements on, and tells the rows that each has written. A changed index entry counts as a row, as
 * Cloudflare counts it. All writes of a statement are done before its first result.
 */
export const countedSql = (sql: SqlStorage, written: (rows: number) => void): SqlStorage => {
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = sql.exec(query, ...values);
    // Most statements read, and the count of one costs about as much as a row.
    if (query.startsWith("SELECT")) return cursor as never;
    const { rowsWritten } = cursor;
    if (rowsWritten > 0) written(rowsWritten);
    return cursor as never;
  };
  return {
    exec,
    get databaseSize() {
      return sql.databaseSize;
    },
    Cursor: sql.Cursor,
    Statement: sql.Statement,
  };
};

/** Passes all statements on. `rowsRead` tells the rows that they have read so far, as Cloudflare counts them. */
export const readingSql = (sql: SqlStorage): { sql: SqlStorage; rowsRead: () => number } => {
  const cursors: { rowsRead: number }[] = [];
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = sql.exec(query, ...values);
    cursors.push(cursor);
    return cursor as never;
  };
  return {
    sql: { exec, databaseSize: sql.databaseSize, Cursor: sql.Cursor, Statement: sql.Statement },
    rowsRead: () => cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
};
