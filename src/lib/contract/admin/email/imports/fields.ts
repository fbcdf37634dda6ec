import * as z from "zod";

/**
 * `uploading`: the file is not complete. `ready`: it can be started. `rows`: of the file, as far as it has arrived. `processed`: of the latest
 * run, and the other counts too; `dryRun`: true where that was a dry run. `paused`: it is running, and waits for a resume. Times are null until
 * they happen.
 */
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

/** What a column becomes: a field or property of the contact, or `list:<id>` of a mailing list. Null: it is ignored. */
export const mapping = z.record(
  z.string(),
  z
    .string("must be the name of a field or property, list:<id>, or null")
    .max(100, "must be at most 100 characters")
    .nullable(),
);

/** The file that rows are sent from. `fingerprint`: by which its sender knows it again. */
const sentFile = z.object({ bytes: z.int(), fingerprint: z.string() });

/**
 * `columns`: their names as `mapping` needs them. `preview`: the first 20 rows. `mapping`: the one that was started, or a guess. `file`: of
 * an import whose rows were sent; null where the file itself was uploaded.
 */
export const detailedImport = contactImport.extend({
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  mapping,
  file: sentFile.nullable(),
});
