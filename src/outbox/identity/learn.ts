import type { ObjectName } from "../../rules/types.ts";
import type { PlannedWebhook } from "../model/journal-types.ts";
import { type Rows, rowsOneByOne } from "./identity-rows.ts";
import { learnLinks } from "./links.ts";
import { learnNames } from "./object-names.ts";
import { personOfContact } from "./resolve-person.ts";
import { GONE, readWatermarks, saveWatermarks } from "./watermarks.ts";

type Learning = Pick<PlannedWebhook, "links" | "names" | "occurredAt" | "rank" | "deliveries">;

/**
 * Saves a webhook's names, links and removals, in the caller's transaction.
 *
 * @returns `relinked`: keys with a possibly changed person; `named`: names that are new
 */
export const learn = (
  sql: SqlStorage,
  { links, names, occurredAt, rank, deliveries }: Learning,
  now: number,
  rows: Rows = rowsOneByOne(sql),
): { relinked: string[]; named: ObjectName[] } => {
  const named = names ? learnNames(sql, names, occurredAt) : [];
  const relinked = learnLinks(sql, links, occurredAt, now, rows);
  // Saved first, so that no mail of an earlier webhook follows.
  const gone = deliveries.flatMap(({ removes, contact }) => (removes ? (personOfContact(sql, contact) ?? []) : []));
  for (const person of new Set(gone))
    saveWatermarks(sql, person, readWatermarks(sql, person), { [GONE]: [occurredAt, rank] }, now);
  if (gone.length > 0) rows.written();
  return { relinked, named };
};
