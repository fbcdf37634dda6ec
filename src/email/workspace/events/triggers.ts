/**
 * Ids of the workflows that an event of exactly this name starts, from the table `triggers`. Case-sensitive, no
 * patterns.
 */
export const triggeredBy = (sql: SqlStorage, eventName: string): string[] =>
  sql
    .exec<{ workflow: string }>("SELECT workflow FROM triggers WHERE event = ? ORDER BY workflow", eventName)
    .toArray()
    .map(({ workflow }) => workflow);
