import { node } from "../../../lib/workflow-graph/edges.ts";
import type { Handlers } from "../core/handler.ts";
import { messageMetrics } from "../sends/message-metrics.ts";
import { findNode } from "./change.ts";

export const nodeMetrics: Handlers<"workflows">["nodeMetrics"] = (context, asked) => {
  const found = findNode(context, asked);
  if ("refusal" in found) return found;
  const workflowNode = node(found.workflow.graph, asked.nodeId);
  if (workflowNode.typeName !== "SendEmailAction") {
    const message = `A node of type ${workflowNode.typeName} sends no mail. Ask for the metrics of a SendEmailAction.`;
    return { refusal: { code: "invalid_target", path: "nodeId", message } };
  }
  return { body: messageMetrics(context.sql, workflowNode.emailMessageId) };
};
