/**
 * The next row number of a table whose numbers go up with time: microseconds, made unique. SQLite alone would reuse the
 * number of a deleted newest row: ids made of it would repeat, and cursors would skip rows.
 */
export const nextNumber = (
  sql: SqlStorage,
  table:
    | "sends"
    | "events"
    | "event_patterns"
    | "templates"
    | "content_groups"
    | "themes"
    | "components"
    | "uploads"
    | "segments"
    | "workflows"
    | "campaigns"
    | "imports"
    | "webhook_events",
  now: number,
): number => {
  const last = sql.exec<{ n: number }>(`SELECT n FROM ${table} ORDER BY n DESC LIMIT 1`).toArray()[0]?.n ?? 0;
  return Math.max(last + 1, now * 1000);
};
