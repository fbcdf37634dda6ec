import type { Graph, NodeOf, Trigger, WorkflowNode } from "./types.ts";

/** Ids come from requests and may be names such as "toString". */
export const nodeAt = (graph: Graph, id: string): WorkflowNode | undefined =>
  Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined;

/** Returns a node that is known to exist. */
export const node = (graph: Graph, id: string): WorkflowNode => graph.nodes[id] as WorkflowNode;

export const isTrigger = (workflowNode: WorkflowNode): workflowNode is Trigger =>
  workflowNode.typeName.endsWith("Trigger");

/** Type with its article: "an AudienceFilter". */
export const aNode = ({ typeName }: WorkflowNode): string => `${/^[AE]/.test(typeName) ? "an" : "a"} ${typeName}`;

/** True for the only nodes with several edges. */
export const isFork = (workflowNode: WorkflowNode): workflowNode is NodeOf<"BranchNode" | "ExperimentBranchNode"> =>
  workflowNode.typeName === "BranchNode" || workflowNode.typeName === "ExperimentBranchNode";

export const parentsOf = (graph: Graph, id: string): string[] =>
  Object.keys(graph.nodes).filter((one) => node(graph, one).nextNodeIds.includes(id));

/** Ids reachable from `from`, itself included. `without`: a skipped node. */
export const reachable = (graph: Graph, from: string, without?: string): Set<string> => {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === without || seen.has(id)) continue;
    seen.add(id);
    open.push(...(nodeAt(graph, id)?.nextNodeIds ?? []));
  }
  return seen;
};

/** Ids in breadth-first order from the root, the exit last. */
export const inOrder = (graph: Graph): string[] => {
  const seen = new Set([graph.root]);
  for (const id of seen) for (const next of nodeAt(graph, id)?.nextNodeIds ?? []) seen.add(next);
  seen.delete(graph.exit);
  return [...seen, graph.exit];
};

export const withEdges = (graph: Graph, id: string, nextNodeIds: readonly string[]): Graph => ({
  ...graph,
  nodes: { ...graph.nodes, [id]: { ...node(graph, id), nextNodeIds } },
});

/** Redirects edges of `ids` in place. Duplicate edges are dropped. */
export const redirected = (graph: Graph, ids: readonly string[], from: string, to: string): Graph =>
  ids.reduce((changed, id) => {
    const edges = node(changed, id).nextNodeIds.map((next) => (next === from ? to : next));
    return withEdges(changed, id, [...new Set(edges)]);
  }, graph);
