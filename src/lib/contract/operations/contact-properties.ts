import * as z from "zod";
import { propertyName } from "../fields.ts";
import { act, read } from "../operation.ts";

const type = z.enum(["string", "number", "boolean", "date"], 'must be "string", "number", "boolean" or "date"');

const property = z
  .object({ name: z.string(), key: z.string(), label: z.string(), type })
  .meta({ id: "ContactProperty" });

export const contactProperties = {
  /** 400 if the property exists: the published statuses have no 409. */
  create: act("editor", {
    method: "POST",
    path: "/contacts/properties",
    summary: "Create a contact property",
    danger: false,
    request: z.object({ name: propertyName, type }),
    response: z.object({ success: z.literal(true) }),
    status: 200,
    refusals: [400, 409],
    refusesWithSuccess: true,
    idempotent: true,
    example: { name: "planName", type: "string" },
  }),

  /** Standard properties come first. `name` and `key` are the same. */
  list: read("viewer", {
    path: "/contacts/properties",
    formerPath: "/contacts/customFields",
    summary: "List contact properties",
    request: z.object({ list: z.enum(["all", "custom"], 'must be "all" or "custom"').optional() }),
    response: z.array(property),
    status: 200,
    refusals: [400],
    example: { list: "custom" },
  }),
};
