/**
 * Passes all statements on, and tells the rows that each has written. A changed index entry counts as a row, as
 * Cloudflare counts it. All writes of a statement are done before its first result.
 */
export const countedSql = (sql: SqlStorage, written: (rows: number) => void): SqlStorage => {
  const exec: SqlStorage["exec"] = (query, ...values) => {
    const cursor = sql.exec(query, ...values);
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
