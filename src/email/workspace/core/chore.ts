export type Chore = {
  /** Runs at each alarm, because something else sets the alarm for it. */
  always?: true;
  /** Unix ms; infinity if nothing is due. */
  next(sql: SqlStorage): number;
  /** Handles at most `limit` rows. */
  run(sql: SqlStorage, now: number, limit: number): void | Promise<void>;
};

export const firstTime = (sql: SqlStorage, query: string): number =>
  sql.exec<{ at: number | null }>(query).one().at ?? Number.POSITIVE_INFINITY;
