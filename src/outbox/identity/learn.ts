import type { PlannedWebhook } from "../model/types.ts";
import { learnLinks } from "./links.ts";
import { learnNames } from "./object-names.ts";
import { personOfContact } from "./resolve.ts";
import { type Rows, rowsOneByOne } from "./rows.ts";
import { GONE, readWatermarks, saveWatermarks } from "./watermarks.ts";

type Learned = Pick<PlannedWebhook, "links" | "names" | "occurredAt" | "rank" | "calls">;

/**
 * Saves what a webhook says beside its calls: names of objects, identity links, and which persons its calls remove. When it
 * is accepted and when it is replayed alike. Runs in the caller's transaction.
 *
 * @param learned `calls`: those that are made; a skipped removal does not count
 * @param rows reads the rows of the links
 * @returns the keys whose person may have changed
 */
export const learn = (
  sql: SqlStorage,
  { links, names, occurredAt, rank, calls }: Learned,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] => {
  if (names) learnNames(sql, names, occurredAt);
  const relinked = learnLinks(sql, links, occurredAt, now, rows);
  // Before the removal is delivered, so that no mail of an earlier webhook follows.
  const gone = calls.flatMap(({ removes, contact }) => (removes ? (personOfContact(sql, contact) ?? []) : []));
  for (const person of new Set(gone))
    saveWatermarks(sql, person, readWatermarks(sql, person), { [GONE]: [occurredAt, rank] }, now);
  if (gone.length > 0) rows.written();
  return relinked;
};
