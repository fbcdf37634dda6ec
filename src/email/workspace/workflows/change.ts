import type { Refusal } from "../../../lib/contract/errors.ts";
import { nodeAt } from "../../../lib/workflow-graph/edges.ts";
import type { Context } from "../core/context.ts";
import { shownWorkflow } from "./shown-workflow.ts";
import { findWorkflow, type StoredWorkflow, saveWorkflow, type WorkflowChanges } from "./workflow-rows.ts";

type Asked = { workflowId: string; expectedRevisionId: string | null };

type Named = readonly [field: string, id: string | undefined];

const nodeNotFound = (workflow: string, [field, id]: Named): Refusal => {
  const message = `The workflow has no node with the id "${id}". GET /v1/workflows/${workflow} lists them.`;
  return { code: "node_not_found", path: field, message };
};

export const findNode = (
  context: Pick<Context, "sql" | "now">,
  { workflowId, nodeId }: { workflowId: string; nodeId: string },
): { workflow: StoredWorkflow } | { refusal: Refusal } => {
  const found = findWorkflow(context, workflowId);
  if ("refusal" in found || nodeAt(found.workflow.graph, nodeId)) return found;
  return { refusal: nodeNotFound(workflowId, ["nodeId", nodeId]) };
};

/** Returns a workflow if the request names its current revision. */
export const currentOf = (
  context: Pick<Context, "sql" | "now">,
  { workflowId, expectedRevisionId }: Asked,
): { workflow: StoredWorkflow } | { refusal: Refusal } => {
  const found = findWorkflow(context, workflowId);
  if ("refusal" in found || found.workflow.revision === expectedRevisionId) return found;
  const { revision } = found.workflow;
  const message = `The workflow is at revision ${revision}. Read it again, then send your change with that expectedRevisionId.`;
  return {
    refusal: { code: "stale_revision", path: "expectedRevisionId", message, detail: { workflowRevisionId: revision } },
  };
};

/** Returns a workflow with changeable graph or list: current revision, known nodes, not sending. */
export const changeable = (
  context: Pick<Context, "sql" | "now">,
  asked: Asked,
  ...nodes: Named[]
): { workflow: StoredWorkflow } | { refusal: Refusal } => {
  const found = currentOf(context, asked);
  if ("refusal" in found) return found;
  const { graph, status } = found.workflow;
  const unknown = nodes.find(([, id]) => id !== undefined && !nodeAt(graph, id));
  if (unknown) return { refusal: nodeNotFound(asked.workflowId, unknown) };
  if (status !== "Sending") return found;
  const message = "This operation is not allowed while the workflow is sending. Pause it first.";
  return { refusal: { code: "workflow_sending", path: "workflowId", message } };
};

/** Saves a change as a new revision and returns the workflow. */
export const changedTo = (context: Context, before: StoredWorkflow, changes: WorkflowChanges) => {
  saveWorkflow(context, before, changes);
  const found = findWorkflow(context, before.id);
  const { workflow: stored } = found as { workflow: StoredWorkflow };
  return { stored, workflow: shownWorkflow(context, stored) };
};
