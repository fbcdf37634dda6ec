import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { operation } from "../operation.ts";

/**
 * A reusable part of messages. `pendingEmailCount`: messages that wait to be compiled with its newest content.
 * `failedEmailCount`: messages that could not be sent with the newest content, and keep what they had; each says why.
 */
const component = z.object({
  id: z.string(),
  name: z.string(),
  lmx: z.string(),
  pendingEmailCount: z.int(),
  failedEmailCount: z.int(),
});

export const components = {
  /** Newest first. */
  list: operation({
    method: "GET",
    path: "/components",
    summary: "List components",
    request: z.object(page),
    response: paginated(component),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  /** 422 lists every error of its LMX. */
  create: operation({
    method: "POST",
    path: "/components",
    summary: "Create a component",
    request: z.object({ name: resourceName, lmx: z.string() }),
    response: component,
    status: 201,
    refusals: [400, 409, 413, 422],
    idempotent: true,
    example: { name: "Footer", lmx: "<Divider /><Paragraph>Acme, 1 Main Street</Paragraph>" },
  }),

  get: operation({
    method: "GET",
    path: "/components/{componentId}",
    summary: "Get a component",
    request: z.object({ componentId: resourceId }),
    response: component,
    status: 200,
    refusals: [400, 404],
    example: { componentId: "cmp_1" },
  }),

  /**
   * Changes the given fields. Every draft and published message that uses the component gets the new content within
   * minutes. `affectedEmailCount`: how many messages that are; 0 where only the name changed. Content that messages could
   * not be sent with is 422 `breaks_messages`: `brokenEmails` has their names and reasons. The first 20 messages are checked.
   */
  update: operation({
    method: "POST",
    path: "/components/{componentId}",
    summary: "Update a component",
    request: z.object({ componentId: resourceId, name: resourceName.optional(), lmx: z.string().optional() }),
    response: component.extend({ affectedEmailCount: z.int() }),
    status: 200,
    refusals: [400, 404, 413, 422],
    example: { componentId: "cmp_1", lmx: "<Paragraph>Acme, 2 Main Street</Paragraph>" },
  }),
};
