import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { guessMapping } from "../../imports/mapping.ts";
import { readMailingLists } from "../contacts/lists.ts";
import { customTypes } from "../contacts/properties.ts";
import type { StoredImport } from "./rows.ts";

/** An import as lists show it. */
export const shown = (one: StoredImport) => {
  const { id, name, state, dryRun, form, rows, created, updated, unchanged, refused } = one;
  return {
    ...{ id, name, state, dryRun, ...form, rows, processed: created + updated + unchanged + refused },
    ...{ created, updated, unchanged, refused, createdAt: isoOf(one.createdAt) },
    ...{ startedAt: isoOrNull(one.startedAt), finishedAt: isoOrNull(one.finishedAt) },
  };
};

/** An import with its columns, its first rows, and what each column becomes. */
export const detailed = (sql: SqlStorage, one: StoredImport) => {
  const { columns, preview, settings } = one;
  const known = {
    properties: [...customTypes(sql).keys()],
    lists: readMailingLists(sql).filter(({ isArchived }) => !isArchived),
  };
  return { ...shown(one), columns, preview, mapping: settings?.mapping ?? guessMapping(columns, preview, known) };
};
