/** Periodic work of a room, run by the alarm. */
export type Chore = {
  /** When there is something to do, in Unix ms; infinity when there is nothing. */
  next(sql: SqlStorage): number;
  /** Does at most `limit` rows of the work that is due at `now` (Unix ms). Work that takes long lets requests in meanwhile. */
  run(sql: SqlStorage, now: number, limit: number): void | Promise<void>;
};

/** The time a query finds as `at`, in Unix ms; infinity when it finds none. */
export const firstTime = (sql: SqlStorage, query: string): number =>
  sql.exec<{ at: number | null }>(query).one().at ?? Number.POSITIVE_INFINITY;
