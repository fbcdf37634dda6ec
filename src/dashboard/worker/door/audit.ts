/** Entries of one page. */
const AUDIT_PAGE = 50;

/** A request that changed something. `at`: Unix ms. `ids`: parameters of its path. */
export type Entry = { at: number; who: string; operation: string; ids: Record<string, string>; status: number };

/** Entries that are shown. `who`: without regard to the case of ASCII letters. `operation`: its beginning. `since` is included, `until` is not, in Unix ms. `before`: the number of an entry. */
export type AuditFilter = Partial<Record<"who" | "operation", string | undefined>> &
  Partial<Record<"since" | "until" | "before", number | undefined>>;

/** Entries of the audit before the one with the number `before`, newest first. `after`: Unix ms of those that are too old. `next`: where the next page begins. */
export const readAudit = (
  sql: SqlStorage,
  { who, operation, since = 0, until, before }: AuditFilter,
  after: number,
): { entries: (Entry & { n: number })[]; next: number | undefined } => {
  const rows = sql
    .exec<Omit<Entry, "ids"> & { n: number; ids: string }>(
      `SELECT * FROM audit WHERE n < ?1 AND at > ?2 AND at >= ?3 AND at < ?4 AND (?5 IS NULL OR who = ?5 COLLATE NOCASE)
         AND (?6 IS NULL OR substr(operation, 1, length(?6)) = ?6) ORDER BY n DESC LIMIT ?7`,
      ...[before ?? Number.MAX_SAFE_INTEGER, after, since, until ?? Number.MAX_SAFE_INTEGER],
      ...[who ?? null, operation ?? null, AUDIT_PAGE + 1],
    )
    .toArray();
  const shown = rows.slice(0, AUDIT_PAGE);
  return {
    entries: shown.map(({ ids, ...rest }) => ({ ...rest, ids: JSON.parse(ids) as Entry["ids"] })),
    next: rows.length > AUDIT_PAGE ? shown.at(-1)?.n : undefined,
  };
};
