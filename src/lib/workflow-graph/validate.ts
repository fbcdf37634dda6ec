import { inOrder, isFork, isTrigger, node, nodeAt, parentsOf } from "./edges.ts";
import type { Graph, WorkflowNode } from "./types.ts";

export const MAX_NODES = 300;

/**
 * Returns why a graph is invalid: one trigger as root, one exit, no cycle, all nodes connected, at most 300 nodes.
 * A VariantNode stands below its ExperimentBranchNode, with at most one control.
 */
export const faultOf = (graph: Graph): string | undefined => {
  const ids = Object.keys(graph.nodes);
  if (ids.length > MAX_NODES) return `${ids.length} nodes`;
  const root = nodeAt(graph, graph.root);
  if (!root || !isTrigger(root)) return "the root is no trigger";
  if (nodeAt(graph, graph.exit)?.typeName !== "ExitAction") return "the exit is no ExitAction";
  const keys = ids.map((id) => node(graph, id).k);
  if (new Set(keys).size < keys.length) return "two nodes have the same k";
  if (keys.some((k) => !Number.isSafeInteger(k) || k < 1 || k > graph.lastK)) return "a k is above lastK";
  for (const id of ids) {
    const fault = nodeFault(graph, id, node(graph, id));
    if (fault !== undefined) return `${id}: ${fault}`;
  }
  const found = new Set(inOrder(graph));
  const orphan = ids.find((id) => !found.has(id));
  if (orphan !== undefined) return `${orphan}: cannot be reached`;
  return hasCycle(graph) ? "there is a cycle" : undefined;
};

const nodeFault = (graph: Graph, id: string, workflowNode: WorkflowNode): string | undefined => {
  const { nextNodeIds: next } = workflowNode;
  if (isTrigger(workflowNode) && id !== graph.root) return "a second trigger";
  if (workflowNode.typeName === "ExitAction" && id !== graph.exit) return "a second exit";
  if (next.includes(graph.root)) return "leads to the root";
  if (next.some((to) => !nodeAt(graph, to))) return "leads to a node that does not exist";
  if (new Set(next).size < next.length) return "has the same edge twice";
  const wanted = workflowNode.typeName === "ExitAction" ? 0 : 1;
  if (isFork(workflowNode) ? next.length < 1 : next.length !== wanted) return `has ${next.length} edges`;
  if (workflowNode.typeName === "VariantNode") {
    const parents = parentsOf(graph, id).map((parent) => node(graph, parent).typeName);
    if (parents.join() !== "ExperimentBranchNode") return `a variant below ${parents.join()}`;
  }
  if (workflowNode.typeName !== "ExperimentBranchNode") return undefined;
  const controls = next.filter((to) => {
    const child = node(graph, to);
    return child.typeName === "VariantNode" && child.isControl;
  });
  return controls.length > 1 ? "has two controls" : undefined;
};

const hasCycle = (graph: Graph): boolean => {
  const waiting = new Map(Object.keys(graph.nodes).map((id) => [id, 0]));
  const count = (id: string, by: number) => waiting.set(id, (waiting.get(id) ?? 0) + by);
  for (const { nextNodeIds } of Object.values(graph.nodes)) for (const id of nextNodeIds) count(id, 1);
  const open = [...waiting].flatMap(([id, parents]) => (parents === 0 ? [id] : []));
  let taken = 0;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    taken++;
    for (const next of node(graph, id).nextNodeIds) if (count(next, -1).get(next) === 0) open.push(next);
  }
  return taken < waiting.size;
};
