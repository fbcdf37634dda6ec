import * as z from "zod";
import { propertyName, resourceId } from "../../../fields.ts";
import { flag } from "../fields.ts";
import { mapping } from "./fields.ts";

/** How the rows of a file are read, and what they become. */
export const settingsOfRows = {
  mapping,
  /** Contact properties to create before, with their types. */
  createProperties: z
    .record(propertyName, z.enum(["string", "number", "boolean", "date"], "must be string, number, boolean or date"))
    .default({}),
  /** Ids of mailing lists that every contact of the file joins. */
  mailingLists: z.array(resourceId).max(20, "must have at most 20 entries").default([]),
  /** False: a contact that exists stays as it is. */
  updateExisting: flag.default(true),
};
