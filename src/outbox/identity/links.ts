import type { Link } from "../../rules/types.ts";
import { keysOf, type Rows, rowsOneByOne } from "./rows.ts";
import { readWatermarks, saveWatermarks, type Watermarks } from "./watermarks.ts";

/**
 * Saves the identity links of a webhook. Writes only rows that change.
 *
 * @param happenedAt when the event happened, Unix ms
 * @param rows reads the rows of these links
 * @returns the keys whose person may have changed
 */
export const learnLinks = (
  sql: SqlStorage,
  links: readonly Link[],
  happenedAt: number,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] =>
  links.flatMap((link) => {
    const [top, ...below] = keysOf(link);
    if (!top) return [];
    const address = link.email ?? null;
    const changed: string[] = [];
    // The address of a user is stored on the user's own row, so that mail can be sent to a contact with only a user id.
    if (link.userId && address && point(sql, rows, top, null, address, happenedAt, now)) changed.push(top);
    below.forEach((key, step) => {
      const above = step === 0 ? top : (below[step - 1] ?? top);
      if (point(sql, rows, key, above, address, happenedAt, now)) changed.push(key);
    });
    return changed;
  });

/** Links a key to the next more reliable key (null: to none). An older event changes nothing. True when the row changed. */
const point = (
  sql: SqlStorage,
  rows: Rows,
  key: string,
  above: string | null,
  email: string | null,
  happenedAt: number,
  now: number,
): boolean => {
  const row = rows.read(key);
  if (row && (row.told_at > happenedAt || (row.same_as === above && row.email === email))) return false;
  const marks = row?.marks ?? null;
  // Watermarks of an address move to the user that the address turns out to belong to.
  if (marks && above) saveWatermarks(sql, above, readWatermarks(sql, above), JSON.parse(marks) as Watermarks, now);
  sql.exec(
    `INSERT INTO contacts (key, same_as, email, told_at, marks, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (key) DO UPDATE SET same_as = ?2, email = ?3, told_at = ?4, marks = ?5, seen_at = ?6`,
    ...[key, above, email, happenedAt, above ? null : marks, now],
  );
  rows.written();
  return true;
};
