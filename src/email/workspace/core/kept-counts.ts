import type { Context } from "./context.ts";
import { isFull } from "./size.ts";

/** `at`: Unix ms. */
export const readKept = <Result>(sql: SqlStorage, name: string): { at: number; result: Result } | undefined => {
  const [row] = sql
    .exec<{ at: number; result: string }>("SELECT at, result FROM kept_counts WHERE name = ?", name)
    .toArray();
  return row && { at: row.at, result: JSON.parse(row.result) as Result };
};

export const dropKept = (sql: SqlStorage, name: string): void => {
  sql.exec("DELETE FROM kept_counts WHERE name = ?", name);
};

/** Replaces a kept count. `now`: Unix ms. */
export const keep = (sql: SqlStorage, now: number, name: string, result: unknown): void => {
  sql.exec("INSERT OR REPLACE INTO kept_counts (name, at, result) VALUES (?, ?, ?)", name, now, JSON.stringify(result));
};

/** As `keep`, for the count of a read. A full team keeps none, so that its reads write nothing. */
export const keepInRoom = (
  context: Pick<Context, "sql" | "now" | "maxBytes" | "noRoom">,
  name: string,
  result: unknown,
): void => {
  if (!isFull(context)) keep(context.sql, context.now, name, result);
};
