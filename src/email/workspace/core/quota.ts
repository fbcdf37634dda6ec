/** At most `limit` per `windowMs` (ms). `times`: query that returns Unix ms as `at`. */
export type Quota = { limit: number; windowMs: number; times: string };

export const remainingOf = (sql: SqlStorage, { limit, windowMs, times }: Quota, now: number): number => {
  const { used } = sql
    .exec<{ used: number }>(`SELECT count(*) AS used FROM (${times}) WHERE at > ?`, now - windowMs)
    .one();
  return Math.max(0, limit - used);
};

/** Returns Unix ms. `count`: above the remaining number, at most the limit. */
export const possibleAt = (sql: SqlStorage, { limit, windowMs, times }: Quota, count: number): number => {
  const { at } = sql
    .exec<{ at: number }>(`SELECT at FROM (${times}) ORDER BY at DESC LIMIT 1 OFFSET ?`, limit - count)
    .one();
  return at + windowMs;
};
