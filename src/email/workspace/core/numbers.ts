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

/** The column of `team` with the largest number of a deleted row that was the newest one of its table. Triggers write it. */
const DELETED = {
  contacts: "last_contact",
  email_messages: "last_message",
  message_revisions: "last_revision",
} as const;

/** One more than the number of any row before, also of a deleted one. */
const nextDense = (sql: SqlStorage, table: keyof typeof DELETED): number =>
  sql
    .exec<{ next: number }>(
      `SELECT 1 + max(coalesce((SELECT max(n) FROM ${table}), 0), coalesce((SELECT ${DELETED[table]} FROM team), 0)) AS next`,
    )
    .one().next;

/**
 * The row number of the next new contact: one more than that of any contact before, also of a deleted one. A campaign that is sending would
 * else take a new contact for one that existed at its start. The numbers are dense, because samples draw them at random.
 */
export const nextContact = (sql: SqlStorage): number => nextDense(sql, "contacts");

/**
 * The row number of the next message, or of the next revision of any message. A number of a deleted one is never given again: Mailers keep content
 * by the number of its revision, and mails in the ledger name it.
 */
export const nextContent = (sql: SqlStorage, table: "email_messages" | "message_revisions"): number =>
  nextDense(sql, table);
