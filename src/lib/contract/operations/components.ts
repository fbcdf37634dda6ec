import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { act, read } from "../operation.ts";

/** `failedEmailCount`: messages that kept their old content after an error. */
const component = z
  .object({
    id: z.string(),
    name: z.string(),
    lmx: z.string(),
    pendingEmailCount: z.int(),
    failedEmailCount: z.int(),
  })
  .meta({ id: "Component" });

export const components = {
  /** Newest first. */
  list: read("viewer", {
    path: "/components",
    summary: "List components",
    request: z.object(page),
    response: paginated(component),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  /** 422 lists every error of its LMX. */
  create: act("editor", {
    method: "POST",
    path: "/components",
    summary: "Create a component",
    danger: false,
    request: z.object({ name: resourceName, lmx: z.string() }),
    response: component,
    status: 201,
    refusals: [400, 409, 413, 422],
    idempotent: true,
    example: { name: "Footer", lmx: "<Divider /><Paragraph>Acme, 1 Main Street</Paragraph>" },
  }),

  get: read("viewer", {
    path: "/components/{componentId}",
    summary: "Get a component",
    request: z.object({ componentId: resourceId }),
    response: component,
    status: 200,
    refusals: [400, 404],
    example: { componentId: "cmp_1" },
  }),

  /**
   * Drafts and published messages get new content within minutes. Returns 422 `breaks_messages` with `brokenEmails`
   * if messages could not be sent with it. Checks the first 20 messages.
   */
  update: act("editor", {
    method: "POST",
    path: "/components/{componentId}",
    summary: "Update a component",
    danger: false,
    request: z.object({ componentId: resourceId, name: resourceName.optional(), lmx: z.string().optional() }),
    response: component.extend({ affectedEmailCount: z.int() }).meta({ id: "UpdatedComponent" }),
    status: 200,
    refusals: [400, 404, 413, 422],
    example: { componentId: "cmp_1", lmx: "<Paragraph>Acme, 2 Main Street</Paragraph>" },
  }),
};
