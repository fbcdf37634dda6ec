/** A statement, and the bindings of each of its runs. */
export type Fill = { query: string; rows: (string | number | null)[][] };

/** Runs a statement per row in one transaction. */
export const fill = (storage: DurableObjectStorage, { query, rows }: Fill): Record<string, unknown>[] =>
  storage.transactionSync(() => rows.flatMap((row) => storage.sql.exec(query, ...row).toArray()));
