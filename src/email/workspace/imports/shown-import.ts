import { guessMapping } from "../../../lib/imports/mapping.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { readMailingLists } from "../contacts/lists.ts";
import { customTypes } from "../contacts/properties.ts";
import type { StoredImport } from "./import-rows.ts";

export const shownImport = (one: StoredImport) => {
  const { id, name, state, dryRun, form, settings, rows, created, updated, unchanged, refused } = one;
  return {
    id,
    name,
    state,
    dryRun,
    paused: state === "running" && typeof settings?.pausedAt === "number",
    encoding: form.encoding,
    delimiter: form.delimiter,
    rows,
    processed: created + updated + unchanged + refused,
    created,
    updated,
    unchanged,
    refused,
    createdAt: isoOf(one.createdAt),
    startedAt: isoOrNull(one.startedAt),
    finishedAt: isoOrNull(one.finishedAt),
  };
};

export const detailedImport = (sql: SqlStorage, one: StoredImport) => {
  const { columns, preview, settings, form } = one;
  const known = {
    properties: [...customTypes(sql).keys()],
    lists: readMailingLists(sql).filter(({ isArchived }) => !isArchived),
  };
  const read = settings?.mapping ?? guessMapping(columns, preview, known);
  return { ...shownImport(one), columns, preview, mapping: read, file: form.file ?? null };
};
