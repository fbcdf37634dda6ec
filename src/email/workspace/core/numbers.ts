/**
 * Next row number of a table: unique microseconds. SQLite would reuse deleted numbers, which breaks ids and cursors.
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
    | "waves"
    | "webhook_events",
  now: number,
): number => {
  const last = `(SELECT n FROM ${table} ORDER BY n DESC LIMIT 1)`;
  // Claimed campaign mails have numbers before their rows.
  const claimed = table === "sends" ? "(SELECT max(last) FROM mailer_claims)" : "0";
  const query = `SELECT max(coalesce(${last}, 0), coalesce(${claimed}, 0)) AS n`;
  return Math.max(sql.exec<{ n: number }>(query).one().n + 1, now * 1000);
};

/** Column of `team` with the largest deleted row number. Triggers write it. */
const DELETED = {
  contacts: "last_contact",
  email_messages: "last_message",
  message_revisions: "last_revision",
} as const;

const nextDense = (sql: SqlStorage, table: keyof typeof DELETED): number =>
  sql
    .exec<{ next: number }>(
      `SELECT 1 + max(coalesce((SELECT max(n) FROM ${table}), 0), coalesce((SELECT ${DELETED[table]} FROM team), 0)) AS next`,
    )
    .one().next;

/**
 * Next contact row number, never reused, so a sending campaign ignores new contacts. Dense, because samples draw at
 * random.
 */
export const nextContact = (sql: SqlStorage): number => nextDense(sql, "contacts");

/** Next message or revision number, never reused: Mailers and mails refer to content by it. */
export const nextContent = (sql: SqlStorage, table: "email_messages" | "message_revisions"): number =>
  nextDense(sql, table);
