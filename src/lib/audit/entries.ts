import type { Operation } from "../contract/operation.ts";
import { DAY_MS, isoOf } from "../util/dates.ts";

const PAGE = 50;
/** Entries are kept so many ms, and so many of the newest. */
const AUDIT_MS = 90 * DAY_MS;
const MOST_ENTRIES = 100_000;

/** `at` is Unix ms; `from` the client address; `ids` are path parameters. */
export type Entry = {
  at: number;
  who: string;
  from: string;
  operation: string;
  ids: Record<string, string>;
  status: number;
};

/** Entries among which a repeated one is looked for. */
const NEWEST = 50;

/** Adds the entry of a request. A repetition, after a lost answer, changes nothing. */
export const noteOnce = (sql: SqlStorage, entry: Entry, request: string): void => {
  const [known] = sql
    .exec("SELECT 1 FROM (SELECT request FROM audit ORDER BY n DESC LIMIT ?) WHERE request = ?", NEWEST, request)
    .toArray();
  if (!known) addEntry(sql, entry, request);
};

/** Adds an entry to the table `audit`, and returns its number. The oldest above the bound go. */
export const addEntry = (
  sql: SqlStorage,
  { at, who, from, operation, ids, status }: Entry,
  request: string | null = null,
): number => {
  const { n } = sql
    .exec<{ n: number }>(
      `INSERT INTO audit (at, who, address, operation, ids, status, request) VALUES (?, ?, ?, ?, ?, ?, ?)
       RETURNING n`,
      at,
      who,
      from,
      operation,
      JSON.stringify(ids),
      status,
      request,
    )
    .one();
  sql.exec("DELETE FROM audit WHERE n <= ?", n - MOST_ENTRIES);
  return n;
};

/** Filters. `who` ignores ASCII case, `operation` is a prefix. `since` is inclusive, `until` exclusive (Unix ms). */
export type AuditFilter = Partial<Record<"who" | "from" | "operation", string | undefined>> &
  Partial<Record<"since" | "until" | "before", number | undefined>>;

export type AuditPage = { entries: (Omit<Entry, "from"> & { n: number; from: string | null })[]; next?: number };

/** Returns entries before number `before`, newest first. Entries past their retention are left out. `now`: Unix ms. */
export const readAudit = (
  sql: SqlStorage,
  { who, from, operation, since = 0, until, before }: AuditFilter,
  now: number,
): AuditPage => {
  const rows = sql
    .exec<{
      n: number;
      at: number;
      who: string;
      address: string | null;
      operation: string;
      ids: string;
      status: number;
    }>(
      `SELECT n, at, who, address, operation, ids, status FROM audit
       WHERE n < ?1 AND at > ?2 AND at >= ?3 AND at < ?4 AND (?5 IS NULL OR who = ?5 COLLATE NOCASE)
         AND (?6 IS NULL OR substr(operation, 1, length(?6)) = ?6) AND (?7 IS NULL OR address = ?7)
       ORDER BY n DESC LIMIT ?8`,
      before ?? Number.MAX_SAFE_INTEGER,
      now - AUDIT_MS,
      since,
      until ?? Number.MAX_SAFE_INTEGER,
      who ?? null,
      operation ?? null,
      from ?? null,
      PAGE + 1,
    )
    .toArray();
  const entries = rows.slice(0, PAGE).map(({ ids, address, ...rest }) => ({
    ...rest,
    from: address,
    ids: JSON.parse(ids) as Entry["ids"],
  }));
  const last = entries.at(-1);
  return rows.length > PAGE && last ? { entries, next: last.n } : { entries };
};

/** Returns the body of `GET …/audit`. `operations`: all operations of this Worker, by name. */
export const shownAudit = (
  { entries, next }: AuditPage,
  operations: ReadonlyMap<string, Pick<Operation, "summary">>,
) => ({
  data: entries.map(({ n, at, ...entry }) => ({
    id: String(n),
    at: isoOf(at),
    ...entry,
    summary: operations.get(entry.operation)?.summary ?? null,
  })),
  next: next === undefined ? null : String(next),
});

/** Returns when the oldest entry ends (Unix ms); Infinity without entries. */
export const auditEnds = (sql: SqlStorage): number => {
  const [oldest] = sql.exec<{ at: number }>("SELECT at FROM audit ORDER BY n LIMIT 1").toArray();
  return oldest ? oldest.at + AUDIT_MS : Number.POSITIVE_INFINITY;
};

/** Deletes at most `limit` entries that have ended, and returns how many. `now`: Unix ms. */
export const purgeAudit = (sql: SqlStorage, now: number, limit: number): number =>
  auditEnds(sql) > now
    ? 0
    : sql.exec(
        "DELETE FROM audit WHERE n IN (SELECT n FROM audit ORDER BY n LIMIT ?) AND at <= ?",
        limit,
        now - AUDIT_MS,
      ).rowsWritten;
