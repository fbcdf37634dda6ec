import * as z from "zod";
import { propertyName, resourceId } from "../../../fields.ts";
import { flag } from "../email-fields.ts";
import { mapping } from "./import-fields.ts";

export const settingsOfRows = {
  mapping,
  createProperties: z
    .record(propertyName, z.enum(["string", "number", "boolean", "date"], "must be string, number, boolean or date"))
    .default({}),
  mailingLists: z.array(resourceId).max(20, "must have at most 20 entries").default([]),
  /** False leaves existing contacts unchanged. */
  updateExisting: flag.default(true),
};
