import * as z from "zod";
import { isNoDryRun } from "../../../access.ts";
import { page, paginated, resourceId } from "../../../fields.ts";
import { act, read } from "../../../operation.ts";
import { flag, team } from "../email-fields.ts";
import { columnName, contactImport, detailedImport } from "./import-fields.ts";
import { settingsOfRows } from "./settings.ts";
import { upload } from "./upload.ts";

const one = z.strictObject({ team, importId: resourceId });
const path = (rest: string) => `/teams/{team}/imports/{importId}${rest}` as const;

export const imports = {
  list: read("viewer", {
    path: "/teams/{team}/imports",
    summary: "List imports of contacts, newest first",
    request: z.strictObject({ team, ...page }),
    response: paginated(contactImport),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", perPage: "20" },
  }),

  get: read("viewer", {
    path: path(""),
    summary: "Get an import with its progress, its columns and its first rows",
    request: one,
    response: detailedImport,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", importId: "imp_1" },
  }),

  start: act("editor", {
    method: "POST",
    path: path("/start"),
    summary: "Import the rows of an uploaded file, or only check them",
    danger: isNoDryRun,
    request: z.strictObject({
      team,
      importId: resourceId,
      ...settingsOfRows,
      /** Columns that say who gets no mail, and are ignored all the same; or the name of the file, where it says so. */
      ignoreConsent: z.array(columnName).max(300, "must have at most 300 entries").default([]),
      /** True gives every row an outcome and changes no contact. */
      dryRun: flag.default(false),
      /** True starts workflows for new contacts, changed properties and joined lists. */
      triggerWorkflows: flag.default(false),
    }),
    response: contactImport,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", importId: "imp_1", mapping: { Email: "email", Name: "firstName", Notes: null } },
  }),

  pause: act("editor", {
    method: "POST",
    path: path("/pause"),
    summary: "Pause an import that is running; after seven days it is cancelled",
    danger: false,
    request: one,
    response: contactImport,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", importId: "imp_4" },
  }),

  resume: act("editor", {
    method: "POST",
    path: path("/resume"),
    summary: "Go on with an import that is paused",
    danger: false,
    request: one,
    response: contactImport,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", importId: "imp_4" },
  }),

  cancel: act("editor", {
    method: "POST",
    path: path("/cancel"),
    summary: "Cancel an import; rows that were imported stay",
    danger: false,
    request: one,
    response: contactImport,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", importId: "imp_2" },
  }),

  ...upload,
};
