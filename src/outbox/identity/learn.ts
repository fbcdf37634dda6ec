import type { PlannedWebhook } from "../model/types.ts";
import { learnLinks } from "./links.ts";
import { learnNames } from "./object-names.ts";
import { personOfContact } from "./resolve.ts";
import { type Rows, rowsOneByOne } from "./rows.ts";
import { GONE, readWatermarks, saveWatermarks } from "./watermarks.ts";

type Learned = Pick<PlannedWebhook, "links" | "names" | "occurredAt" | "rank" | "calls">;

/**
 * Saves a webhook's names, links and removals, in the caller's transaction.
 *
 * @returns keys with a possibly changed person
 */
export const learn = (
  sql: SqlStorage,
  { links, names, occurredAt, rank, calls }: Learned,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): string[] => {
  if (names) learnNames(sql, names, occurredAt);
  const relinked = learnLinks(sql, links, occurredAt, now, rows);
  // Saved first, so that no mail of an earlier webhook follows.
  const gone = calls.flatMap(({ removes, contact }) => (removes ? (personOfContact(sql, contact) ?? []) : []));
  for (const person of new Set(gone))
    saveWatermarks(sql, person, readWatermarks(sql, person), { [GONE]: [occurredAt, rank] }, now);
  if (gone.length > 0) rows.written();
  return relinked;
};
