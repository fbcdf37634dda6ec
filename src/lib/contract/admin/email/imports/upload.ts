import * as z from "zod";
import { onOneLine, resourceId } from "../../../fields.ts";
import { act, question } from "../../../operation.ts";
import { team } from "../email-fields.ts";
import { detailedImport } from "./import-fields.ts";
import { settingsOfRows } from "./settings.ts";

/** Bytes. */
const MAX_BODY = 4_000_000;

/** Bytes; the same as the limit of an upload. */
const MAX_FILE = 100_000_000;

const cell = z.string().max(501, "must be at most 501 characters: no field takes more than 500");
const cells = z.array(cell).max(1_000, "must have at most 1000 cells");

const row = z.strictObject({
  line: z.int().min(1, "must be 1 or more"),
  cells,
  problem: z.string().max(500, "must be at most 500 characters").optional(),
});

const columns = z
  .array(z.string().min(1, "must not be empty").max(210, "must be at most 210 characters"))
  .min(1, "must have a column")
  .max(300, "must have at most 300 columns")
  .refine((names) => new Set(names).size === names.length, "must not have a name twice")
  .refine((names) => !names.includes("__proto__"), 'must not have the name "__proto__"');

const count = z.int().min(1, "must be 1 or more");

/** Upload of rows in parts, for example by a browser. */
export const upload = {
  preview: question("editor", {
    path: "/teams/{team}/imports/preview",
    summary: "Check what some rows of a file would become, without an upload",
    request: z.strictObject({
      team,
      columns,
      ...settingsOfRows,
      rows: z.array(row).min(1, "must have a row").max(100, "must have at most 100 rows"),
    }),
    response: z.object({
      rows: z.array(
        z.object({
          outcome: z.enum(["created", "updated", "unchanged", "refused"]),
          column: z.string(),
          reason: z.string(),
        }),
      ),
    }),
    status: 200,
    refusals: [400, 404],
    maxBody: MAX_BODY,
    example: {
      team: "acme",
      columns: ["Email", "Name"],
      mapping: { Email: "email", Name: "firstName" },
      rows: [{ line: 2, cells: ["ada@example.com", "Ada"] }],
    },
  }),

  begin: act("editor", {
    method: "POST",
    path: "/teams/{team}/imports/begin",
    summary: "Begin an import whose rows are sent in parts",
    danger: false,
    request: z.strictObject({
      team,
      name: onOneLine(z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters")),
      encoding: z.string().min(1, "must not be empty").max(30, "must be at most 30 characters"),
      delimiter: z.enum([",", ";", "\t", "|"], "must be a comma, a semicolon, a tab or |"),
      columns,
      preview: z.array(cells).max(20, "must have at most 20 rows"),
      bytes: z.int().min(1, "must be 1 or more").max(MAX_FILE, `must be at most ${MAX_FILE}`),
      fingerprint: z.string().regex(/^[\da-f]{64}$/, "must have 64 hexadecimal digits"),
    }),
    response: detailedImport,
    status: 201,
    refusals: [400, 404],
    maxBody: MAX_BODY,
    example: {
      team: "acme",
      name: "people.csv",
      encoding: "utf-8",
      delimiter: ",",
      columns: ["Email", "Name"],
      preview: [["ada@example.com", "Ada"]],
      bytes: 32,
      fingerprint: "0".repeat(64),
    },
  }),

  /** Rows that already arrived are skipped, so a request without an answer can be repeated. */
  addRows: act("editor", {
    method: "POST",
    path: "/teams/{team}/imports/{importId}/rows",
    summary: "Add the next rows of an import whose file is not complete",
    danger: false,
    request: z.strictObject({
      team,
      importId: resourceId,
      /** From 1. */
      first: count,
      rows: z.array(row).min(1, "must have a row").max(1_000, "must have at most 1000 rows"),
    }),
    /** `rows`: total that have arrived. */
    response: z.object({ rows: z.int() }),
    status: 200,
    refusals: [400, 404, 409],
    maxBody: MAX_BODY,
    example: { team: "acme", importId: "imp_3", first: 1, rows: [{ line: 2, cells: ["ada@example.com", "Ada"] }] },
  }),

  complete: act("editor", {
    method: "POST",
    path: "/teams/{team}/imports/{importId}/complete",
    summary: "End the file of an import: it can be started then",
    danger: false,
    request: z.strictObject({
      team,
      importId: resourceId,
      rows: count,
    }),
    response: detailedImport,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", importId: "imp_5", rows: 1 },
  }),
};
