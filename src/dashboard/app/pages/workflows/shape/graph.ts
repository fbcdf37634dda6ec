import type { Workflow } from "../../../../../lib/contract/workflows/nodes.ts";
import type { Graph, WorkflowNode } from "../../../../../lib/workflow-graph/types.ts";

/** Converts the API graph for the service's edit rules. */
export const graphOf = ({ rootNodeId, nodes }: Pick<Workflow, "rootNodeId" | "nodes">): Graph => {
  const all = Object.entries(nodes);
  return {
    root: rootNodeId,
    exit: all.find(([, { typeName }]) => typeName === "ExitAction")?.[0] ?? "",
    lastK: all.length,
    nodes: Object.fromEntries(all.map(([id, one], index) => [id, { ...one, k: index + 1 } as WorkflowNode])),
  };
};

/** Unused ids for a trial graph. */
export const triedIds = () => {
  let n = 0;
  return (prefix: string): string => `${prefix} tried ${++n}`;
};
