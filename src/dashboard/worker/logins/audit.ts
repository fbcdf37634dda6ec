import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";

const AUDIT_PAGE = 50;

/** `at` is Unix ms; `ids` are path parameters. */
export type Entry = { at: number; who: string; operation: string; ids: Record<string, string>; status: number };

/** Entries among which a repeated one is looked for. */
const NEWEST = 50;

/** Adds the entry of a request. A repetition, after a lost answer, changes nothing. */
export const noteOnce = (sql: SqlStorage, entry: Entry, request: string): void => {
  const [known] = sql
    .exec("SELECT 1 FROM (SELECT request FROM audit ORDER BY n DESC LIMIT ?) WHERE request = ?", NEWEST, request)
    .toArray();
  if (!known) addEntry(sql, entry, request);
};

const addEntry = (sql: SqlStorage, { at, who, operation, ids, status }: Entry, request: string | null = null): number =>
  sql
    .exec<{ n: number }>(
      "INSERT INTO audit (at, who, operation, ids, status, request) VALUES (?, ?, ?, ?, ?, ?) RETURNING n",
      at,
      who,
      operation,
      JSON.stringify(ids),
      status,
      request,
    )
    .one().n;

/** `from` is the client address. */
export type RefusedLogin = Omit<Entry, "ids"> & { from: string };

/** Daily limit, so that strangers cannot fill the storage. */
const MAX_REFUSED = 100;

/** Counts refusals per address and day. Above `MAX_REFUSED`, others share the entry "other addresses". */
export const addRefused = (sql: SqlStorage, { from, ...login }: RefusedLogin): void => {
  const { at, who, operation, status } = login;
  sql.exec("DELETE FROM refused_logins WHERE at <= ?", at - DAY_MS);
  const counted = (key: string): boolean =>
    sql.exec(
      `UPDATE audit SET ids = json_set(ids, '$.attempts', CAST((ids->>'$.attempts') + 1 AS TEXT), '$.last', ?2)
       WHERE n = (SELECT n FROM refused_logins WHERE key = ?1)`,
      key,
      isoOf(at),
    ).rowsWritten > 0;
  const begin = (key: string, entry: Omit<Entry, "ids">, address: string) => {
    const n = addEntry(sql, { ...entry, ids: { from: address, attempts: "1", last: isoOf(at) } });
    sql.exec("INSERT OR REPLACE INTO refused_logins (key, n, at) VALUES (?, ?, ?)", key, n, at);
  };
  const key = JSON.stringify([operation, status, who, from]);
  if (counted(key)) return;
  const { begun } = sql.exec<{ begun: number }>("SELECT count(*) AS begun FROM refused_logins").one();
  if (begun < MAX_REFUSED) begin(key, login, from);
  else if (!counted(OTHERS)) begin(OTHERS, { ...login, who: "unknown" }, "other addresses");
};

const OTHERS = "others";

/** Filters. `who` ignores ASCII case, `operation` is a prefix. `since` is inclusive, `until` exclusive (Unix ms). */
export type AuditFilter = Partial<Record<"who" | "operation", string | undefined>> &
  Partial<Record<"since" | "until" | "before", number | undefined>>;

/** Returns entries before number `before`, newest first. `after` (Unix ms) excludes old ones. */
export const readAudit = (
  sql: SqlStorage,
  { who, operation, since = 0, until, before }: AuditFilter,
  after: number,
): { entries: (Entry & { n: number })[]; next: number | undefined } => {
  const rows = sql
    .exec<Omit<Entry, "ids"> & { n: number; ids: string }>(
      `SELECT n, at, who, operation, ids, status FROM audit WHERE n < ?1 AND at > ?2 AND at >= ?3 AND at < ?4 AND (?5 IS NULL OR who = ?5 COLLATE NOCASE)
         AND (?6 IS NULL OR substr(operation, 1, length(?6)) = ?6) ORDER BY n DESC LIMIT ?7`,
      before ?? Number.MAX_SAFE_INTEGER,
      after,
      since,
      until ?? Number.MAX_SAFE_INTEGER,
      who ?? null,
      operation ?? null,
      AUDIT_PAGE + 1,
    )
    .toArray();
  const shown = rows.slice(0, AUDIT_PAGE);
  return {
    entries: shown.map(({ ids, ...rest }) => ({ ...rest, ids: JSON.parse(ids) as Entry["ids"] })),
    next: rows.length > AUDIT_PAGE ? shown.at(-1)?.n : undefined,
  };
};
