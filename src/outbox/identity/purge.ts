import type { ContactRow } from "./identity-rows.ts";
import { knownOf, notEnded } from "./subscriptions.ts";

/**
 * Purges one slice of contacts of data older than `before` (Unix ms), and of links that ended before `now`. Other links
 * and notEnded subscriptions stay.
 *
 * @returns the next start key, or undefined at the end
 */
export const purgeContacts = (
  sql: SqlStorage,
  { before, now }: { before: number; now: number },
  after: string,
  limit: number,
): string | undefined => {
  const slice = sql
    .exec<ContactRow>("SELECT * FROM contacts WHERE key > ? ORDER BY key LIMIT ?", after, limit)
    .toArray();
  for (const row of slice) {
    const { key, next_key, email, strength, seen_at, ends_at } = row;
    if (ends_at !== null && ends_at < now) sql.exec("DELETE FROM contacts WHERE key = ?", key);
    if (seen_at >= before || next_key !== null) continue;
    const { subscriptions, customers } = knownOf(row);
    const left = notEnded(subscriptions);
    const count = Object.keys(left).length;
    const isEmpty = count === 0 && Object.keys(customers).length === 0;
    if ((email === null || strength < 0) && isEmpty) sql.exec("DELETE FROM contacts WHERE key = ?", key);
    else if (count < Object.keys(subscriptions).length)
      sql.exec("UPDATE contacts SET subscriptions = ? WHERE key = ?", count > 0 ? JSON.stringify(left) : null, key);
  }
  return slice.length < limit ? undefined : slice.at(-1)?.key;
};

export const anyContact = (sql: SqlStorage): boolean => sql.exec("SELECT 1 FROM contacts LIMIT 1").toArray().length > 0;
