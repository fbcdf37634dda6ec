import * as z from "zod";
import { propertyName, resourceId } from "../../../fields.ts";
import { DATE_ORDERS, SUPPRESSION_REASONS } from "../../../import-choices.ts";
import { flag } from "../email-fields.ts";
import { columnName, mapping } from "./import-fields.ts";

export const settingsOfRows = {
  mapping,
  createProperties: z
    .record(propertyName, z.enum(["string", "number", "boolean", "date"], "must be string, number, boolean or date"))
    .default({}),
  mailingLists: z.array(resourceId).max(20, "must have at most 20 entries").default([]),
  /** Order of dates such as 01/02/2024, by column. */
  dates: z.record(columnName, z.enum(DATE_ORDERS, `must be one of ${DATE_ORDERS.join(", ")}`)).default({}),
  /** True leaves out a bad cell of a side column; the row is imported. Addresses, ids and consent are no side columns. */
  skipBadCells: flag.default(false),
  /** True for a file of people who are not subscribed. */
  allUnsubscribed: flag.default(false),
  /** Each address is suppressed, with this reason where no column says another. No contact is created. */
  suppressAs: z.enum(SUPPRESSION_REASONS, `must be one of ${SUPPRESSION_REASONS.join(", ")}`).optional(),
  /** False leaves existing contacts unchanged. */
  updateExisting: flag.default(true),
};
