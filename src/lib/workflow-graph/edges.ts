import type { Graph, NodeOf, Trigger, WorkflowNode } from "./types.ts";

/** A node of the graph; undefined where there is none. Ids come from requests, and may be names such as "toString". */
export const nodeAt = (graph: Graph, id: string): WorkflowNode | undefined =>
  Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined;

/** A node that is known to be there. */
export const node = (graph: Graph, id: string): WorkflowNode => graph.nodes[id] as WorkflowNode;

export const isTrigger = (one: WorkflowNode): one is Trigger => one.typeName.endsWith("Trigger");

/** The type of a node with its article: "an AudienceFilter". */
export const aNode = ({ typeName }: WorkflowNode): string => `${/^[AE]/.test(typeName) ? "an" : "a"} ${typeName}`;

/** A BranchNode or ExperimentBranchNode: the only nodes that may have several edges. */
export const isFork = (one: WorkflowNode): one is NodeOf<"BranchNode" | "ExperimentBranchNode"> =>
  one.typeName === "BranchNode" || one.typeName === "ExperimentBranchNode";

/** Ids of the nodes with an edge to `id`. */
export const parentsOf = (graph: Graph, id: string): string[] =>
  Object.keys(graph.nodes).filter((one) => node(graph, one).nextNodeIds.includes(id));

/** Ids of the nodes that can be reached from `from`, itself included. `without`: a node that is passed by. */
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

/** Ids of all nodes: breadth-first from the root, left to right, the exit last. */
export const inOrder = (graph: Graph): string[] => {
  const seen = new Set([graph.root]);
  // A set that grows while it is walked gives its new members too.
  for (const id of seen) for (const next of nodeAt(graph, id)?.nextNodeIds ?? []) seen.add(next);
  seen.delete(graph.exit);
  return [...seen, graph.exit];
};

/** The graph with other edges of one node. */
export const withEdges = (graph: Graph, id: string, nextNodeIds: readonly string[]): Graph => ({
  ...graph,
  nodes: { ...graph.nodes, [id]: { ...node(graph, id), nextNodeIds } },
});

/** The graph in which the edges from `ids` to `from` lead to `to`, in the same place. An edge that would double is dropped. */
export const redirected = (graph: Graph, ids: readonly string[], from: string, to: string): Graph =>
  ids.reduce((changed, id) => {
    const edges = node(changed, id).nextNodeIds.map((next) => (next === from ? to : next));
    return withEdges(changed, id, [...new Set(edges)]);
  }, graph);
