import * as z from "zod";
import { act, read } from "../../../operation.ts";
import { done, team } from "../email-fields.ts";

const type = z.enum(["string", "number", "boolean", "date"]);
const name = z.string().min(1, "must not be empty").max(80, "must be at most 80 characters");
const label = z.string().trim().min(1, "must not be empty").max(100, "must be at most 100 characters");
/** null removes it. */
const description = z.string("must be a text or null").trim().max(500, "must be at most 500 characters");

const use = z.strictObject({
  kind: z.enum(["segment", "campaign", "workflow", "import"]),
  id: z.string(),
  name: z.string(),
});

/**
 * `filled`: sampled contacts with a non-empty value. `samples`: up to three values, newest first, cut at 80
 * characters.
 */
const usage = z.strictObject({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  type,
  isStandard: z.boolean(),
  filled: z.int(),
  samples: z.array(z.string()),
  usedBy: z.array(use),
});

const property = usage.pick({ name: true, label: true, description: true, type: true });

export const properties = {
  /** `sampled`: contacts drawn from all. Standard properties come first. */
  usage: read("viewer", {
    path: "/teams/{team}/properties/usage",
    summary: "Show how many contacts have a value for each property, and what uses it",
    request: z.strictObject({ team }),
    response: z.strictObject({ data: z.array(usage), sampled: z.int() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  update: act("editor", {
    method: "POST",
    path: "/teams/{team}/properties/{name}",
    summary: "Change the label or the description of a custom property; what is left out stays",
    danger: false,
    request: z
      .strictObject({ team, name, label: label.optional(), description: description.nullish() })
      .refine(({ label, description }) => label !== undefined || description !== undefined, {
        path: ["label"],
        message: "label or description is required",
      }),
    response: property,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", name: "currentPlan", label: "Plan", description: "What the customer pays for" },
  }),

  /** Values are erased from contacts in slices. Until then, no property of this name can be created. */
  remove: act("owner", {
    method: "DELETE",
    path: "/teams/{team}/properties/{name}",
    summary: "Delete a custom property that nothing uses, with its values",
    danger: true,
    request: z.strictObject({ team, name }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", name: "oldPlan" },
  }),
};
