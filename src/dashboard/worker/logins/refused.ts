import { addEntry, type Entry } from "../../../lib/audit/entries.ts";
import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";

export type RefusedLogin = Omit<Entry, "ids">;

/** Daily limit, so that strangers cannot fill the storage. */
const MAX_REFUSED = 100;

/** Counts refusals per address and day. Above `MAX_REFUSED`, others share the entry "other addresses". */
export const addRefused = (sql: SqlStorage, login: RefusedLogin): void => {
  const { at, who, from, operation, status } = login;
  sql.exec("DELETE FROM refused_logins WHERE at <= ?", at - DAY_MS);
  const counted = (key: string): boolean =>
    sql.exec(
      `UPDATE audit SET ids = json_set(ids, '$.attempts', CAST((ids->>'$.attempts') + 1 AS TEXT), '$.last', ?2)
       WHERE n = (SELECT n FROM refused_logins WHERE key = ?1)`,
      key,
      isoOf(at),
    ).rowsWritten > 0;
  const begin = (key: string, entry: RefusedLogin) => {
    const n = addEntry(sql, { ...entry, ids: { attempts: "1", last: isoOf(at) } });
    sql.exec("INSERT OR REPLACE INTO refused_logins (key, n, at) VALUES (?, ?, ?)", key, n, at);
  };
  const key = JSON.stringify([operation, status, who, from]);
  if (counted(key)) return;
  const { begun } = sql.exec<{ begun: number }>("SELECT count(*) AS begun FROM refused_logins").one();
  if (begun < MAX_REFUSED) begin(key, login);
  else if (!counted(OTHERS)) begin(OTHERS, { ...login, who: "unknown", from: "other addresses" });
};

const OTHERS = "others";
