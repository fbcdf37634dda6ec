import * as z from "zod";
import { DATE_ORDERS } from "../../../import-choices.ts";

/** `rows`: received so far. `processed` and the other counts: of the latest run. */
export const contactImport = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(["uploading", "ready", "running", "done", "cancelled"]),
  dryRun: z.boolean(),
  paused: z.boolean(),
  encoding: z.string(),
  delimiter: z.string(),
  rows: z.int(),
  processed: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});

export const columnName = z.string().max(300, "must be at most 300 characters");

/**
 * Maps a column to a contact field, a property or `list:<id>`; null ignores the column. `unsubscribed` reads a column
 * that says who is not subscribed, and `unsubscribed:gone|moved` reads these words so.
 */
export const mapping = z.record(
  z.string(),
  z
    .string("must be the name of a field or property, list:<id>, or null")
    .max(500, "must be at most 500 characters")
    .nullable(),
);

/** `cell`: empty for blank ones. `unknown`: the word does not tell. */
const saidCell = z.object({ cell: z.string(), rows: z.int(), says: z.enum(["no", "unknown"]) });

/**
 * `to`: mapping that reads each of its cells, or null where a person has to decide. `says`: rows that say "no".
 * `doubtful`: true if the column may be about a product or a list. `cells`: cells that a mapping must read.
 */
const consentColumn = z.object({
  column: z.string(),
  to: z.string().nullable(),
  says: z.int(),
  doubtful: z.boolean(),
  cells: z.array(saidCell),
});

const sentFile = z.object({ bytes: z.int(), fingerprint: z.string() });

/**
 * `preview`: the first 20 rows. `mapping`: the started one, or a guess. `consent`: columns that say who gets no mail, also
 * by the file's name in `fileSaysNo`. `dates`: order of dates such as 01/02/2024 in a column that has such.
 */
export const detailedImport = contactImport.extend({
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  waiting: z.array(z.object({ code: z.string(), message: z.string() })),
  mapping,
  consent: z.array(consentColumn),
  fileSaysNo: z.boolean(),
  dates: z.record(z.string(), z.enum([...DATE_ORDERS, "unclear"])),
  file: sentFile.nullable(),
});
