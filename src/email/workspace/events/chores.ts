import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";

/** Deletes events after 30 days. `n` increases with time, so it finds the oldest. */
export const chores: readonly Chore[] = [
  {
    next: (sql) => firstTime(sql, "SELECT (SELECT at FROM events ORDER BY n LIMIT 1) AS at") + RETENTION_MS,
    run: (sql, now, limit) => {
      sql.exec(
        "DELETE FROM events WHERE n IN (SELECT n FROM events ORDER BY n LIMIT ?) AND at <= ?",
        limit,
        now - RETENTION_MS,
      );
    },
  },
];
