import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";
import { readEndpoints } from "./endpoints.ts";

const DELETED = "SELECT n FROM webhook_endpoints WHERE deleted_at IS NOT NULL";

export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      firstTime(sql, "SELECT (SELECT created_at FROM webhook_events ORDER BY n LIMIT 1) AS at") + RETENTION_MS,
    run: (sql, now, limit) => {
      const { last } = sql
        .exec<{ last: number | null }>(
          `SELECT max(n) AS last FROM (SELECT n, created_at FROM webhook_events ORDER BY n LIMIT ?)
           WHERE created_at <= ?`,
          limit,
          now - RETENTION_MS,
        )
        .one();
      if (last === null) return;
      for (const { n } of readEndpoints(sql))
        sql.exec("DELETE FROM webhook_notifications WHERE endpoint = ? AND event <= ?", n, last);
      sql.exec("DELETE FROM webhook_events WHERE n <= ?", last);
    },
  },
  {
    next: (sql) => firstTime(sql, "SELECT min(deleted_at) AS at FROM webhook_endpoints"),
    run: (sql, _now, limit) => {
      sql.exec(
        `DELETE FROM webhook_notifications WHERE (endpoint, event) IN
           (SELECT endpoint, event FROM webhook_notifications WHERE endpoint IN (${DELETED}) LIMIT ?)`,
        limit,
      );
      sql.exec(
        `DELETE FROM webhook_endpoints WHERE n IN (${DELETED})
           AND NOT EXISTS (SELECT 1 FROM webhook_notifications WHERE endpoint = webhook_endpoints.n)`,
      );
    },
  },
];
