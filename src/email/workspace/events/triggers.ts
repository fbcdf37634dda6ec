/**
 * Ids of the workflows that an event of exactly this name starts: case-sensitive, no patterns. None where the table
 * `triggers` names none.
 */
export const triggeredBy = (sql: SqlStorage, eventName: string): string[] =>
  sql
    .exec<{ workflow: string }>("SELECT workflow FROM triggers WHERE event = ? ORDER BY workflow", eventName)
    .toArray()
    .map(({ workflow }) => workflow);
