import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";
import { readEndpoints } from "./endpoints.ts";

const DELETED = "SELECT n FROM webhook_endpoints WHERE deleted_at IS NOT NULL";

/** `n` of the first event that still has a notification to deliver, up to `last`; infinity if none has. */
const firstWaiting = (sql: SqlStorage, endpoint: number, last: number): number =>
  sql
    .exec<{ n: number | null }>(
      "SELECT min(event) AS n FROM webhook_notifications WHERE endpoint = ? AND event <= ? AND due IS NOT NULL",
      endpoint,
      last,
    )
    .one().n ?? Number.POSITIVE_INFINITY;

/** Deletes events after `keptMs`. `isShort`: up to one that is still to be delivered. */
const endingEvents = (keptMs: number, isShort: boolean): Chore => ({
  next: (sql) => firstTime(sql, "SELECT (SELECT created_at FROM webhook_events ORDER BY n LIMIT 1) AS at") + keptMs,
  run: (sql, now, limit) => {
    const { last } = sql
      .exec<{ last: number | null }>(
        `SELECT max(n) AS last FROM (SELECT n, created_at FROM webhook_events ORDER BY n LIMIT ?)
         WHERE created_at <= ?`,
        limit,
        now - keptMs,
      )
      .one();
    if (last === null) return;
    const endpoints = readEndpoints(sql).map(({ n }) => n);
    const waiting = isShort ? endpoints.map((n) => firstWaiting(sql, n, last)) : [];
    const before = Math.min(last + 1, ...waiting);
    for (const n of endpoints)
      sql.exec("DELETE FROM webhook_notifications WHERE endpoint = ? AND event < ?", n, before);
    sql.exec("DELETE FROM webhook_events WHERE n < ?", before);
  },
});

/** In ms. Retries of an event end after three days. */
const SHORT_MS = 4 * DAY_MS;

/** Chores of a database that fills. */
export const shorterChores: readonly Chore[] = [endingEvents(SHORT_MS, true)];

export const chores: readonly Chore[] = [
  endingEvents(RETENTION_MS, false),
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
