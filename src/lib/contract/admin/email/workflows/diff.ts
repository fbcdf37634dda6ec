import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { read } from "../../../operation.ts";
import { team } from "../email-fields.ts";

/** `ran`: contacts have gone through this version. */
const version = z.object({ revision: z.string(), at: z.string(), ran: z.boolean() });

/**
 * `from`: by default the version that ran last. `impact`: effect on waiting contacts, by node. A request checks 5,000
 * of them; `looked` counts all so far, and `next` is null at the end.
 */
export const diff = read("viewer", {
  path: "/teams/{team}/workflows/{workflowId}/diff",
  summary: "Compare two versions of a workflow, and say what the change means for the contacts that wait",
  request: z.strictObject({
    team,
    workflowId: resourceId,
    from: resourceId.optional(),
    to: resourceId.optional(),
    cursor: z.string().optional(),
  }),
  response: z.object({
    from: version,
    to: version,
    changes: z.array(z.object({ nodeId: z.string().nullable(), text: z.string() })),
    impact: z.array(z.object({ nodeId: z.string().nullable(), code: z.string(), text: z.string(), contacts: z.int() })),
    waiting: z.int(),
    looked: z.int(),
    text: z.string(),
    next: z.string().nullable(),
  }),
  status: 200,
  refusals: [400, 404],
  example: { team: "acme", workflowId: "wfl_1" },
});
