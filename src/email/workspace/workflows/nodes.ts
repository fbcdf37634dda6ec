import type { Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import { node } from "../../../lib/workflow-graph/edges.ts";
import { insertNode, type Placement, addBranch as withPath } from "../../../lib/workflow-graph/insert.ts";
import { type Removal, removeBelow, removeNode } from "../../../lib/workflow-graph/remove.ts";
import { reroute as rerouted } from "../../../lib/workflow-graph/reroute.ts";
import type { Graph } from "../../../lib/workflow-graph/types.ts";
import type { Context, Result } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { changeable, changedTo, findNode } from "./change.ts";
import { addMessages, removeMessages } from "./messages.ts";
import { nodeMetrics } from "./metrics.ts";
import { fullNode, shownWorkflow } from "./shown-workflow.ts";
import { updateNode } from "./update-node.ts";
import { takeOut, waitingAt } from "./waiting-runs.ts";
import type { StoredWorkflow } from "./workflow-rows.ts";

type Workflows = V1["workflows"];
type Answer<Name extends keyof Workflows> = Response<Workflows[Name]>;
type Removed = Answer<"deleteNode">;

const revised = (context: Context, stored: StoredWorkflow, id: string) => ({
  ...fullNode(context.sql, stored, id),
  workflowRevisionId: stored.revision,
});

const placementOf = (given: { insertMode: string; fromNodeId?: string | undefined; toNodeId?: string | undefined }) =>
  given as Placement;

const createNode: Handlers<"workflows">["createNode"] = (context, input) => {
  const { insertMode, nodeTypeName, fromNodeId, beforeNodeId, ...asked } = input;
  const target = beforeNodeId === undefined ? "toNodeId" : "beforeNodeId";
  const toNodeId = input.toNodeId ?? beforeNodeId;
  const found = changeable(context, asked, ["fromNodeId", fromNodeId], [target, toNodeId]);
  if ("refusal" in found) return found;
  const { workflow: before } = found;
  const edit = insertNode(before.graph, nodeTypeName, placementOf({ insertMode, fromNodeId, toNodeId }), context.id);
  if ("refusal" in edit) {
    const { path } = edit.refusal;
    return { refusal: { ...edit.refusal, ...(path === "toNodeId" ? { path: target } : {}) } };
  }
  addMessages(context, before.n, edit.graph, [edit.node]);
  const { stored, workflow } = changedTo(context, before, { graph: edit.graph });
  const createdChildNodes = edit.children.map((child) => fullNode(context.sql, stored, child));
  const made = revised(context, stored, edit.node);
  const body = { node: createdChildNodes.length > 0 ? { ...made, createdChildNodes } : made, workflow };
  return { body: body as Answer<"createNode"> };
};

const addBranch: Handlers<"workflows">["addBranch"] = (context, { nodeId, ...asked }) => {
  const found = changeable(context, asked, ["nodeId", nodeId]);
  if ("refusal" in found) return found;
  const edit = withPath(found.workflow.graph, nodeId, context.id);
  if ("refusal" in edit) return edit;
  const { stored, workflow } = changedTo(context, found.workflow, { graph: edit.graph });
  return { body: { node: revised(context, stored, edit.node), workflow } as Answer<"addBranch"> };
};

const getNode: Handlers<"workflows">["getNode"] = (context, asked) => {
  const found = findNode(context, asked);
  if ("refusal" in found) return found;
  const { workflow } = found;
  const own = fullNode(context.sql, workflow, asked.nodeId, { workflowId: workflow.id });
  return { body: { ...own, workflowRevisionId: workflow.revision } as Answer<"getNode"> };
};

const reroute: Handlers<"workflows">["reroute"] = (context, { nodeId, newTargetNodeId, ...asked }) => {
  const found = changeable(context, asked, ["nodeId", nodeId], ["newTargetNodeId", newTargetNodeId]);
  if ("refusal" in found) return found;
  const { workflow: before } = found;
  const edit = rerouted(before.graph, nodeId, newTargetNodeId);
  if ("refusal" in edit) return edit;
  const isSame = edit.graph === before.graph;
  const after = isSame
    ? { stored: before, workflow: shownWorkflow(context, before) }
    : changedTo(context, before, { graph: edit.graph });
  return { body: { ...revised(context, after.stored, nodeId), workflow: after.workflow } as Answer<"reroute"> };
};

type RemovalRequest = {
  workflowId: string;
  nodeId: string;
  expectedRevisionId: string | null;
  dryRun?: boolean | undefined;
  queuedContactPolicy?: "fail" | "discard" | undefined;
};

const remove =
  (edit: (graph: Graph, id: string) => Removal) =>
  (context: Context, input: RemovalRequest): Result<Removed> => {
    const { nodeId, dryRun = false, queuedContactPolicy = "fail", ...asked } = input;
    const found = changeable(context, asked, ["nodeId", nodeId]);
    if ("refusal" in found) return found;
    const { workflow: before } = found;
    const removal = edit(before.graph, nodeId);
    if ("refusal" in removal) return removal;
    const { graph, nodeIds } = removal;
    const waiting = waitingAt(
      before.n,
      nodeIds.map((id) => node(before.graph, id).k),
    );
    const policy = { dryRun, queuedContactPolicy, reason: "node_deleted" } as const;
    const { ended, queuedContactCount, stop } = takeOut(context, waiting, policy);
    if (stop) return { body: { status: stop, nodeIds, queuedContactCount } };
    removeMessages(context, before.n, nodeIds);
    const { stored, workflow } = changedTo(context, before, { graph, ended });
    return { body: { status: "deleted", nodeIds, workflowRevisionId: stored.revision, queuedContactCount, workflow } };
  };

export const nodeHandlers = {
  createNode,
  addBranch,
  getNode,
  updateNode,
  reroute,
  nodeMetrics,
  deleteNode: remove(removeNode),
  deleteNodeRecursively: remove(removeBelow),
};
