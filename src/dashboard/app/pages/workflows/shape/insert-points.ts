import { isFork, node, parentsOf } from "../../../../../lib/workflow-graph/edges.ts";
import { insertNode, type Placement } from "../../../../../lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../../lib/workflow-graph/remove.ts";
import { reroute } from "../../../../../lib/workflow-graph/reroute.ts";
import type { CreatedType, Graph } from "../../../../../lib/workflow-graph/types.ts";
import { triedIds } from "./graph.ts";

/** A place for new nodes. `from`: selects one of several edges. */
export type InsertPoint = { placement: Placement; from?: string; types: CreatedType[] };

const TYPES: readonly CreatedType[] = [
  ...(["TimerAction", "SendEmailAction", "AudienceFilter"] as const),
  ...(["BranchNode", "ExperimentBranchNode", "VariantNode"] as const),
];

const typesAt = (graph: Graph, placement: Placement): CreatedType[] =>
  TYPES.filter((type) => !("refusal" in insertNode(graph, type, placement, triedIds())));

const withTypes = (graph: Graph, points: readonly Omit<InsertPoint, "types">[]): InsertPoint[] =>
  points.map((point) => ({ ...point, types: typesAt(graph, point.placement) })).filter(({ types }) => types.length > 0);

/** Places below a node. A fork has none. */
export const pointsBelow = (graph: Graph, id: string): InsertPoint[] =>
  isFork(node(graph, id)) ? [] : withTypes(graph, [{ placement: { insertMode: "after", fromNodeId: id } }]);

/** Places above a node: all edges, or a single edge from a fork. */
export const pointsAbove = (graph: Graph, id: string): InsertPoint[] => {
  const parents = parentsOf(graph, id);
  const ofForks = parents
    .filter((from) => isFork(node(graph, from)))
    .map((from) => ({ placement: { insertMode: "between", fromNodeId: from, toNodeId: id } as const, from }));
  const [only] = ofForks;
  // A single edge is the same for both, and "between" also takes a variant.
  if (only && parents.length === 1) return withTypes(graph, [{ placement: only.placement }]);
  const every = parents.length === 0 ? [] : [{ placement: { insertMode: "before", toNodeId: id } as const }];
  return withTypes(graph, [...every, ...ofForks]);
};

/** Possible new targets of a node's edge. */
export const targetsOf = (graph: Graph, id: string): string[] => {
  const { nextNodeIds } = node(graph, id);
  return Object.keys(graph.nodes).filter(
    (target) => !nextNodeIds.includes(target) && !("refusal" in reroute(graph, id, target)),
  );
};

/** Possible deletions. `one`: only this node. `below`: with nodes reachable only through it. */
export const removalsAt = (graph: Graph, id: string): { one: boolean; below: string[] | undefined } => {
  const all = removeBelow(graph, id);
  const one = !("refusal" in removeNode(graph, id));
  if ("refusal" in all) return { one, below: undefined };
  return { one, below: all.nodeIds.length > 1 || !one ? all.nodeIds : undefined };
};
