import type { Refusal } from "../contract/errors.ts";
import { sizeOf, withNode } from "./create.ts";
import { aNode, isFork, isTrigger, node, parentsOf, redirected, withEdges } from "./edges.ts";
import type { CreatedType, Edit, Graph, NewId } from "./types.ts";
import { MAX_NODES } from "./validate.ts";

export type Placement =
  | { insertMode: "between"; fromNodeId: string; toNodeId: string }
  | { insertMode: "before"; toNodeId: string }
  | { insertMode: "after"; fromNodeId: string };

type Edges = { from: string[]; to: string };

const misplaced = (path: string, message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_placement", path, message },
});

/** Inserts a node. `before` takes all edges to the target, `between` and `after` one edge. */
export const insertNode = (
  graph: Graph,
  typeName: CreatedType,
  placement: Placement,
  id: NewId,
): Edit<{ node: string; children: string[] }> => {
  const edges = edgesOf(graph, placement);
  if ("refusal" in edges) return edges;
  const refusal = variantRefusal(graph, typeName, placement, edges) ?? limitRefusal(graph, sizeOf(typeName));
  if (refusal) return { refusal };
  const added = withNode(graph, typeName, edges.to, id);
  return { ...added, graph: redirected(added.graph, edges.from, edges.to, added.node) };
};

const edgesOf = (graph: Graph, placement: Placement): Edges | { refusal: Refusal } => {
  if (placement.insertMode === "before") {
    const { toNodeId } = placement;
    if (toNodeId === graph.root) return misplaced("toNodeId", "Nothing goes before the trigger. Insert after it.");
    return { from: parentsOf(graph, toNodeId), to: toNodeId };
  }
  const { fromNodeId } = placement;
  const { nextNodeIds } = node(graph, fromNodeId);
  const [only, ...others] = nextNodeIds;
  if (placement.insertMode === "between") {
    const { toNodeId } = placement;
    if (nextNodeIds.includes(toNodeId)) return { from: [fromNodeId], to: toNodeId };
    const leads = only === undefined ? "nothing goes after it" : `it leads to ${nextNodeIds.join(", ")}`;
    return misplaced("toNodeId", `There is no edge from ${fromNodeId} to ${toNodeId}: ${leads}.`);
  }
  if (only === undefined) return misplaced("fromNodeId", 'Nothing goes after the exit. Use "before" or "between".');
  if (others.length === 0) return { from: [fromNodeId], to: only };
  const message = `${fromNodeId} has ${nextNodeIds.length} edges. Use "between", which names one of them.`;
  return misplaced("fromNodeId", message);
};

const variantRefusal = (
  graph: Graph,
  typeName: CreatedType,
  placement: Placement,
  { from, to }: Edges,
): Refusal | undefined => {
  const isBelow = from.some((id) => node(graph, id).typeName === "ExperimentBranchNode");
  const isVariant = typeName === "VariantNode";
  const path = placement.insertMode === "before" ? "toNodeId" : "fromNodeId";
  if (isBelow && !isVariant) {
    const message = "Directly below an ExperimentBranchNode stand VariantNodes only. Insert below one of its variants.";
    return misplaced(path, message).refusal;
  }
  if (!isVariant) return undefined;
  const rule = 'A VariantNode goes "between" an ExperimentBranchNode and what follows it';
  if (placement.insertMode !== "between") return misplaced("insertMode", `${rule}.`).refusal;
  if (!isBelow) return misplaced(path, `${rule}; ${placement.fromNodeId} is another type.`).refusal;
  if (node(graph, to).typeName !== "VariantNode") return undefined;
  const message = `${rule}; ${to} is a variant already. POST …/add-branch adds another one beside it.`;
  return misplaced("toNodeId", message).refusal;
};

const limitRefusal = (graph: Graph, added: number): Refusal | undefined => {
  const { length } = Object.keys(graph.nodes);
  if (length + added <= MAX_NODES) return undefined;
  const message = `A workflow has at most ${MAX_NODES} nodes. This one has ${length}, and the request would add ${added}.`;
  return { code: "node_limit", message };
};

/** Adds a rightmost path to a fork: a child that leads to the exit. */
export const addBranch = (graph: Graph, at: string, id: NewId): Edit<{ node: string }> => {
  const parent = node(graph, at);
  if (!isFork(parent)) {
    const kind = isTrigger(parent) ? "a trigger" : aNode(parent);
    const message = `Only a BranchNode and an ExperimentBranchNode have several paths; ${at} is ${kind}.`;
    return { refusal: { code: "invalid_target", path: "nodeId", message } };
  }
  const refusal = limitRefusal(graph, 1);
  if (refusal) return { refusal };
  const typeName = parent.typeName === "BranchNode" ? "AudienceFilter" : "VariantNode";
  const added = withNode(graph, typeName, graph.exit, id);
  return { graph: withEdges(added.graph, at, [...parent.nextNodeIds, added.node]), node: added.node };
};
