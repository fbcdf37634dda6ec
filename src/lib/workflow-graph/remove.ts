import type { Refusal } from "../contract/errors.ts";
import { inOrder, isFork, node, parentsOf, reachable, redirected, withEdges } from "./edges.ts";
import type { Edit, Graph } from "./types.ts";

/** `nodeIds`: removed nodes, the named one first. */
export type Removal = Edit<{ nodeIds: string[] }>;

const refused = (message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_target", path: "nodeId", message },
});

const fixedRefusal = (graph: Graph, id: string) => {
  if (id === graph.root) return refused("The trigger cannot be deleted. POST …/nodes/{nodeId} changes it.");
  return id === graph.exit ? refused("The exit cannot be deleted.") : undefined;
};

/** Connects the parents to the next node. */
export const removeNode = (graph: Graph, id: string): Removal => {
  const fixed = fixedRefusal(graph, id);
  if (fixed) return fixed;
  const { typeName, nextNodeIds } = node(graph, id);
  const [next = "", ...others] = nextNodeIds;
  if (others.length > 0) {
    const message = `${id} has ${nextNodeIds.length} edges. DELETE …/nodes/${id}/recursive deletes it with the paths below it.`;
    return refused(message);
  }
  if (node(graph, next).typeName === "VariantNode") {
    const message = `A variant stands directly below its ${typeName} only. Delete ${next} first, or DELETE …/nodes/${id}/recursive.`;
    return refused(message);
  }
  return { graph: without(redirected(graph, parentsOf(graph, id), id, next), [id]), nodeIds: [id] };
};

/** Removes a node and everything reachable only through it. */
export const removeBelow = (graph: Graph, id: string): Removal => {
  const fixed = fixedRefusal(graph, id);
  if (fixed) return fixed;
  const kept = reachable(graph, graph.root, id);
  // The exit ends every path, so it is always kept.
  kept.add(graph.exit);
  const below = reachable(graph, id);
  const nodeIds = inOrder(graph).filter((one) => below.has(one) && !kept.has(one));
  const cut = parentsOf(graph, id).reduce((changed, parent) => {
    const rest = node(changed, parent).nextNodeIds.filter((next) => next !== id);
    const isLeft = isFork(node(changed, parent)) && rest.length > 0;
    return withEdges(changed, parent, isLeft ? rest : [graph.exit]);
  }, graph);
  return { graph: without(cut, nodeIds), nodeIds };
};

const without = (graph: Graph, ids: readonly string[]): Graph => ({
  ...graph,
  nodes: Object.fromEntries(Object.entries(graph.nodes).filter(([id]) => !ids.includes(id))),
});
