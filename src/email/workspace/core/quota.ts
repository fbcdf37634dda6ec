/** At most `limit` in every span of `windowMs` (ms). `times`: a query that gives the time of each as `at`, in Unix ms. */
export type Quota = { limit: number; windowMs: number; times: string };

/** How many more are possible now. */
export const remainingOf = (sql: SqlStorage, { limit, windowMs, times }: Quota, now: number): number => {
  const { used } = sql
    .exec<{ used: number }>(`SELECT count(*) AS used FROM (${times}) WHERE at > ?`, now - windowMs)
    .one();
  return Math.max(0, limit - used);
};

/** When `count` more are possible, in Unix ms. `count`: more than remain now, and at most the limit. */
export const possibleAt = (sql: SqlStorage, { limit, windowMs, times }: Quota, count: number): number => {
  // Then only `limit - count` are left in the window.
  const { at } = sql
    .exec<{ at: number }>(`SELECT at FROM (${times}) ORDER BY at DESC LIMIT 1 OFFSET ?`, limit - count)
    .one();
  return at + windowMs;
};
