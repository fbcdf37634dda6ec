import * as z from "zod";
import { page, paginated, propertyName, resourceId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { flag, team } from "../fields.ts";

/** What a column becomes: a field or property of the contact, or `list:<id>` of a mailing list. Null: it is ignored. */
const mapping = z.record(
  z.string(),
  z
    .string("must be the name of a field or property, list:<id>, or null")
    .max(100, "must be at most 100 characters")
    .nullable(),
);

/**
 * `uploading`: the file is not complete. `ready`: it can be started. `rows`: of the file. `processed`: of the latest run, and the other
 * counts too; `dryRun`: true where that was a dry run. Times are null until they happen.
 */
const contactImport = z.object({
  ...{ id: z.string(), name: z.string(), state: z.enum(["uploading", "ready", "running", "done", "cancelled"]) },
  ...{ dryRun: z.boolean(), encoding: z.string(), delimiter: z.string(), rows: z.int(), processed: z.int() },
  ...{ created: z.int(), updated: z.int(), unchanged: z.int(), refused: z.int() },
  ...{ createdAt: z.string(), startedAt: z.string().nullable(), finishedAt: z.string().nullable() },
});

/** `columns`: their names as `mapping` needs them. `preview`: the first 20 rows. `mapping`: the one that was started, or a guess. */
const detailed = contactImport.extend({
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  mapping,
});

const one = z.strictObject({ team, importId: resourceId });
const path = (rest: string) => `/teams/{team}/imports/{importId}${rest}` as const;

/** Imports of contacts. The routes with the files are beside them: they carry CSV and no JSON. */
export const imports = {
  list: operation({
    method: "GET",
    path: "/teams/{team}/imports",
    summary: "List imports of contacts, newest first",
    request: z.strictObject({ team, ...page }),
    response: paginated(contactImport),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", perPage: "20" },
  }),

  get: operation({
    method: "GET",
    path: path(""),
    summary: "Get an import with its progress, its columns and its first rows",
    request: one,
    response: detailed,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", importId: "imp_1" },
  }),

  start: operation({
    method: "POST",
    path: path("/start"),
    summary: "Import the rows of an uploaded file, or only check them",
    request: z.strictObject({
      ...{ team, importId: resourceId, mapping },
      /** Contact properties to create before, with their types. */
      createProperties: z
        .record(
          propertyName,
          z.enum(["string", "number", "boolean", "date"], "must be string, number, boolean or date"),
        )
        .default({}),
      /** Ids of mailing lists that every contact of the file joins. */
      mailingLists: z.array(resourceId).max(20, "must have at most 20 entries").default([]),
      /** True: every row gets its outcome, and nothing is written to contacts. */
      dryRun: flag.default(false),
      /** False: a contact that exists stays as it is. */
      updateExisting: flag.default(true),
      /** True: new contacts, changed properties and joined lists start workflows. */
      triggerWorkflows: flag.default(false),
    }),
    response: contactImport,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", importId: "imp_1", mapping: { Email: "email", Name: "firstName", Notes: null } },
  }),

  cancel: operation({
    method: "POST",
    path: path("/cancel"),
    summary: "Cancel an import; rows that were imported stay",
    request: one,
    response: contactImport,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", importId: "imp_2" },
  }),
};
