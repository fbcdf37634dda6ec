import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { team } from "../fields.ts";

/** A version. `at`: when it was made. `ran`: contacts have gone through it. */
const version = z.object({ revision: z.string(), at: z.string(), ran: z.boolean() });

/**
 * `from`: the version that ran last, when left out. `to`: the current one. `impact`: contacts that wait now, by node, with what the
 * change means for them. A contact has one of these codes: node_deleted, left_list, at_once, earlier, later, same_time; besides, it may have
 * other_way and other_filter. Codes ended_… count the contacts that the edits between have ended. `waiting`: all contacts that wait. A request
 * looks at 5 000 of them: `impact` and `text` are about the `looked` ones of all requests until now, and `next` is the cursor of the request that goes
 * on; null at the end.
 */
export const diff = operation({
  method: "GET",
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
