import { type Counted, countedIn } from "../../../lib/imports/consent/tally.ts";
import { guessMapping } from "../../../lib/imports/mapping.ts";
import { signsOf } from "../../../lib/imports/signs.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { readMailingLists } from "../contacts/lists.ts";
import { customTypes } from "../contacts/properties.ts";
import type { Context } from "../core/context.ts";
import { waitForRows } from "../core/day-rows-words.ts";
import { waitForRoom } from "../core/size.ts";
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

/** Counts of the rows that have arrived; of the first ones where none has. */
const countedOf = ({ form, rows, columns, preview }: Shown): Counted =>
  form.counted ? { rows, columns: form.counted } : countedIn(columns, preview);

type Shown = Pick<StoredImport, "name" | "columns" | "preview" | "form" | "rows">;

export const signsOfImport = (one: Shown) => signsOf({ name: one.name, columns: one.columns, counted: countedOf(one) });

export const detailedImport = (context: Context, one: StoredImport) => {
  const { sql } = context;
  const { columns, preview, settings, form } = one;
  const known = {
    properties: [...customTypes(sql).keys()],
    lists: readMailingLists(sql).filter(({ isArchived }) => !isArchived),
  };
  const counted = countedOf(one);
  const read = settings?.mapping ?? guessMapping(columns, preview, known, counted);
  const shown = shownImport(one);
  const waiting =
    shown.state === "running" && !shown.paused
      ? [...waitForRoom(context), ...waitForRows(context, "campaigns", "imports")]
      : [];
  return { ...shown, waiting, columns, preview, mapping: read, ...signsOfImport(one), file: form.file ?? null };
};
