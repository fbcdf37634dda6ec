import * as z from "zod";
import { page, resourceId } from "../../../fields.ts";
import { read } from "../../../operation.ts";
import { team } from "../email-fields.ts";

/** Next step first. A paused workflow takes it later than `until`. `data` may be empty before the end. */
export const here = read("viewer", {
  path: "/teams/{team}/workflows/{workflowId}/nodes/{nodeId}/contacts",
  summary: "List the contacts that wait at a node of a workflow",
  request: z.strictObject({ team, workflowId: resourceId, nodeId: resourceId, ...page }),
  response: z.object({
    data: z.array(
      z.object({
        contact: z.object({ id: z.string(), email: z.string().nullable(), userId: z.string().nullable() }),
        run: z.int(),
        since: z.string(),
        until: z.string(),
        why: z.string(),
      }),
    ),
    next: z.string().nullable(),
    searchedTo: z.string().nullable(),
  }),
  status: 200,
  refusals: [400, 404],
  example: { team: "acme", workflowId: "wfl_1", nodeId: "nod_1" },
});

/** At most 100 versions, newest first. */
export const versions = read("viewer", {
  path: "/teams/{team}/workflows/{workflowId}/versions",
  summary: "List the versions of a workflow",
  request: z.strictObject({ team, workflowId: resourceId }),
  response: z.object({
    data: z.array(z.object({ revision: z.string(), at: z.string(), ran: z.boolean(), isCurrent: z.boolean() })),
  }),
  status: 200,
  refusals: [400, 404],
  example: { team: "acme", workflowId: "wfl_1" },
});
