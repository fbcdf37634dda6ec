import * as z from "zod";
import { isTrue } from "../access.ts";
import { emailMetrics, page, paginated, requiring, resourceId } from "../fields.ts";
import { act, read } from "../operation.ts";
import { fullNode, workflow } from "./nodes.ts";
import { changedNode, confirmDelete, expectedRevisionId, placedNode, preview } from "./requests.ts";

const name = z.string().trim().min(1, "must not be empty").max(255, "must be at most 255 characters");
const description = z.string().max(1_000, "must be at most 1000 characters");

const summary = z
  .object({
    id: z.string(),
    url: z.string(),
    name: z.string(),
    workflowGroupId: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "WorkflowSummary" });

const at = { workflowId: resourceId };
const atNode = { workflowId: resourceId, nodeId: resourceId };
const path = "/workflows/{workflowId}";
const nodePath = "/workflows/{workflowId}/nodes/{nodeId}";

const revision = { workflowRevisionId: z.string() };
const childNode = fullNode("Child", {});
const addedNode = fullNode("Added", { ...revision, createdChildNodes: z.array(childNode).optional() });
const changedNodeWithWorkflow = fullNode("Changed", { ...revision, workflow });
const node = fullNode("Full", { workflowId: z.string(), ...revision });
const count = { queuedContactCount: z.int() };
const nodeIds = { nodeIds: z.array(z.string()) };
const list = { mailingListId: z.string().nullable() };
const PREVIEW = ["dryRun", "queuedContactsFound"] as const;

/** A change that waiting contacts may prevent. With "queuedContactsFound", nothing was changed. */
const outcome = <Done extends string, What extends z.ZodRawShape>(id: string, done: Done, what: What) =>
  z
    .discriminatedUnion("status", [
      z.object({ status: z.enum(PREVIEW), ...what, ...count }).meta({ id: `${id}Preview` }),
      z.object({ status: z.literal(done), ...what, ...revision, ...count, workflow }).meta({ id: `${id}Done` }),
    ])
    .meta({ id });

const deletion = outcome("WorkflowNodeDeletion", "deleted", nodeIds);

const WORKFLOW = { fields: ["workflowRevisionId"] };

const removal = z.strictObject({ ...atNode, expectedRevisionId, ...preview });
const common = { status: 200, window: "content" } as const;
const change = { ...common, refusals: [400, 404, 409] } as const;
const example = { workflowId: "wfl_1", nodeId: "nod_1", expectedRevisionId: "rev_1" };

export const workflows = {
  /** Newest first. */
  list: read("viewer", {
    path: "/workflows",
    summary: "List workflows",
    request: z.object(page),
    response: paginated(summary),
    ...common,
    refusals: [400],
    example: { perPage: "20" },
  }),

  /** Creates a workflow with an untyped trigger and an exit, in "Unsorted" without `workflowGroupId`. */
  create: act("editor", {
    method: "POST",
    path: "/workflows",
    summary: "Create a workflow",
    danger: false,
    request: z.strictObject({
      name,
      description: description.optional(),
      mailingListId: resourceId.nullable().optional(),
      workflowGroupId: resourceId.optional(),
    }),
    response: workflow,
    form: WORKFLOW,
    ...common,
    refusals: [400, 409],
    idempotent: true,
    example: { name: "Trial nurture" },
  }),

  get: read("viewer", {
    path,
    summary: "Get a workflow",
    request: z.object(at),
    response: workflow,
    form: WORKFLOW,
    ...common,
    refusals: [400, 404],
    example: { workflowId: "wfl_1" },
  }),

  /** Allowed in every status. */
  update: act("editor", {
    method: "POST",
    path,
    summary: "Update a workflow",
    danger: false,
    request: z
      .strictObject({
        ...at,
        expectedRevisionId,
        name: name.optional(),
        description: description.optional(),
        workflowGroupId: resourceId.optional(),
      })
      .refine(
        (given) => given.name !== undefined || given.description !== undefined || given.workflowGroupId !== undefined,
        {
          path: ["name"],
          message: "name, description or workflowGroupId is required.",
        },
      )
      .meta(requiring("anyOf", ["name", "description", "workflowGroupId"])),
    response: workflow,
    form: WORKFLOW,
    ...change,
    example: { workflowId: "wfl_1", expectedRevisionId: "rev_1", name: "Trial nurture, June" },
  }),

  /** 409 without `confirmDelete` if the workflow is sending or has waiting contacts. */
  delete: act("editor", {
    method: "DELETE",
    path,
    summary: "Delete a workflow",
    danger: true,
    request: z.strictObject({ ...at, expectedRevisionId, confirmDelete }),
    response: z.undefined(),
    ...change,
    status: 204,
    body: true,
    example: { workflowId: "wfl_1", expectedRevisionId: "rev_1", confirmDelete: true },
  }),

  /** Sets or clears the required mailing list. The count is of waiting contacts not on it. */
  changeMailingList: act("editor", {
    method: "POST",
    path: `${path}/mailing-list`,
    summary: "Change a workflow's mailing list",
    danger: ({ dryRun, queuedContactPolicy = "fail" }) => !isTrue(dryRun) && queuedContactPolicy !== "fail",
    dryRun: false,
    request: z.strictObject({ ...at, expectedRevisionId, mailingListId: resourceId.nullable(), ...preview }),
    response: outcome("WorkflowMailingListChange", "updated", list),
    form: { fields: ["queuedContactCount"] },
    ...change,
    example: { workflowId: "wfl_1", expectedRevisionId: "rev_1", mailingListId: "lst_1" },
  }),

  /** A BranchNode comes with two filters, an ExperimentBranchNode with two variants and a control. */
  createNode: act("editor", {
    method: "POST",
    path: `${path}/nodes`,
    summary: "Create a workflow node",
    danger: false,
    request: placedNode,
    response: z.object({ node: addedNode, workflow }),
    ...change,
    idempotent: true,
    example: {
      workflowId: "wfl_1",
      expectedRevisionId: "rev_1",
      insertMode: "after",
      nodeTypeName: "TimerAction",
      fromNodeId: "nod_1",
    },
  }),

  addBranch: act("editor", {
    method: "POST",
    path: `${nodePath}/add-branch`,
    summary: "Add a path to a branch",
    danger: false,
    request: z.strictObject({ ...atNode, expectedRevisionId }),
    response: z.object({ node: addedNode, workflow }),
    ...change,
    idempotent: true,
    example: { ...example, nodeId: "nod_branch" },
  }),

  getNode: read("viewer", {
    path: nodePath,
    summary: "Get a workflow node",
    request: z.object(atNode),
    response: node,
    form: { fields: ["id"] },
    ...common,
    refusals: [400, 404],
    example: { workflowId: "wfl_1", nodeId: "nod_1" },
  }),

  /** 501 for a node without fields: emails change through POST /email-messages/{id}. */
  updateNode: act("editor", {
    method: "POST",
    path: nodePath,
    summary: "Update a workflow node",
    danger: false,
    request: changedNode,
    response: changedNodeWithWorkflow,
    form: { fields: ["id"] },
    ...common,
    refusals: [400, 404, 409, 501],
    example: { ...example, payload: { typeName: "EventTrigger", eventName: "trialStarted", reEligible: false } },
  }),

  reroute: act("editor", {
    method: "POST",
    path: `${nodePath}/reroute`,
    summary: "Reroute a connection",
    danger: false,
    request: z.strictObject({ ...atNode, expectedRevisionId, newTargetNodeId: resourceId }),
    response: changedNodeWithWorkflow,
    form: { fields: ["id"] },
    ...change,
    example: { ...example, nodeId: "nod_filter", newTargetNodeId: "nod_exit" },
  }),

  /** Deletes a node with one edge and connects its neighbors. The count is of contacts waiting there. */
  deleteNode: act("editor", {
    method: "DELETE",
    path: nodePath,
    summary: "Delete a workflow node",
    danger: true,
    dryRun: false,
    request: removal,
    response: deletion,
    form: { fields: ["nodeIds"] },
    ...change,
    body: true,
    example: { ...example, nodeId: "nod_timer" },
  }),

  deleteNodeRecursively: act("editor", {
    method: "DELETE",
    path: `${nodePath}/recursive`,
    summary: "Delete a workflow node and the paths below it",
    danger: true,
    dryRun: false,
    request: removal,
    response: deletion,
    form: { fields: ["nodeIds"] },
    ...change,
    body: true,
    example: { ...example, nodeId: "nod_branch" },
  }),

  nodeMetrics: read("viewer", {
    path: `${nodePath}/metrics`,
    summary: "Get the metrics of a workflow node",
    request: z.object(atNode),
    response: emailMetrics,
    ...common,
    refusals: [400, 404],
    example: { workflowId: "wfl_1", nodeId: "nod_email" },
  }),
};
