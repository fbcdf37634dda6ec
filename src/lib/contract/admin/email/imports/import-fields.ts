import * as z from "zod";

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

/** Maps a column to a contact field, a property or `list:<id>`; null ignores the column. */
export const mapping = z.record(
  z.string(),
  z
    .string("must be the name of a field or property, list:<id>, or null")
    .max(100, "must be at most 100 characters")
    .nullable(),
);

const sentFile = z.object({ bytes: z.int(), fingerprint: z.string() });

/** `preview`: the first 20 rows. `mapping`: the started one, or a guess. */
export const detailedImport = contactImport.extend({
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  waiting: z.array(z.object({ code: z.string(), message: z.string() })),
  mapping,
  file: sentFile.nullable(),
});
