import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";
import { keptValuesEnd } from "./kept-values.ts";
import { expireSends } from "./sends.ts";
import { REMOVALS_WINDOW_MS } from "./suppression.ts";

/** Gives up on undelivered mail; deletes settled sends after 30 days and old removals. */
export const chores: readonly Chore[] = [
  { always: true, next: () => Number.POSITIVE_INFINITY, run: expireSends },
  {
    next: (sql) =>
      firstTime(sql, "SELECT (SELECT settled_at FROM sends WHERE due IS NULL ORDER BY n LIMIT 1) AS at") + RETENTION_MS,
    run: (sql, now, limit) => {
      const old =
        "SELECT n FROM sends WHERE n IN (SELECT n FROM sends WHERE due IS NULL ORDER BY n LIMIT ?) AND settled_at <= ?";
      const bounds = [limit, now - RETENTION_MS];
      for (const table of ["send_events", "send_hits"])
        sql.exec(`DELETE FROM ${table} WHERE send IN (${old})`, ...bounds);
      sql.exec(`DELETE FROM sends WHERE n IN (${old})`, ...bounds);
    },
  },
  keptValuesEnd,
  {
    next: (sql) => firstTime(sql, "SELECT min(at) AS at FROM suppression_removals") + REMOVALS_WINDOW_MS,
    run: (sql, now) => {
      sql.exec("DELETE FROM suppression_removals WHERE at <= ?", now - REMOVALS_WINDOW_MS);
    },
  },
];
