import type { Workflow } from "../../../../../lib/contract/workflows/nodes.ts";
import type { Graph, WorkflowNode } from "../../../../../lib/workflow-graph/types.ts";

/** The graph of a workflow in the form of the service's own code, which judges edits. What is not in the answer is not judged. */
export const graphOf = ({ rootNodeId, nodes }: Pick<Workflow, "rootNodeId" | "nodes">): Graph => {
  const all = Object.entries(nodes);
  return {
    root: rootNodeId,
    exit: all.find(([, { typeName }]) => typeName === "ExitAction")?.[0] ?? "",
    lastK: all.length,
    nodes: Object.fromEntries(all.map(([id, one], index) => [id, { ...one, k: index + 1 } as WorkflowNode])),
  };
};

/** New ids for a graph that is only tried: no node has them. */
export const triedIds = () => {
  let n = 0;
  return (prefix: string): string => `${prefix} tried ${++n}`;
};
