import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";

/** Entries of one page. */
const AUDIT_PAGE = 50;

/** A request that changed something. `at`: Unix ms. `ids`: parameters of its path. */
export type Entry = { at: number; who: string; operation: string; ids: Record<string, string>; status: number };

/** Adds an entry, and gives its number. */
export const addEntry = (sql: SqlStorage, { at, who, operation, ids, status }: Entry): number =>
  sql
    .exec<{ n: number }>(
      "INSERT INTO audit (at, who, operation, ids, status) VALUES (?, ?, ?, ?, ?) RETURNING n",
      at,
      who,
      operation,
      JSON.stringify(ids),
      status,
    )
    .one().n;

/** A login, or a proof, that was refused. `from`: its address. */
export type RefusedLogin = Omit<Entry, "ids"> & { from: string };

/** Most entries about refused logins that begin in one day: strangers must not fill the storage. One more counts all others. */
export const MAX_REFUSED = 100;

/**
 * Counts a refused login in the entry of its address: each has one in a day, which says how many attempts it was and when the last one was. Above
 * `MAX_REFUSED` entries, those of further addresses are counted in one, from "other addresses".
 */
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

/** The key of the entry that counts the refused logins of all further addresses. */
const OTHERS = "others";

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
