import { isFork, node, parentsOf } from "../../../../../lib/workflow-graph/edges.ts";
import { insertNode, type Placement } from "../../../../../lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../../lib/workflow-graph/remove.ts";
import { reroute } from "../../../../../lib/workflow-graph/reroute.ts";
import type { CreatedType, Graph } from "../../../../../lib/workflow-graph/types.ts";
import { triedIds } from "./graph.ts";

/** A place where a node can go, and the types that it takes. `from`: the only edge that is meant, where there are several. */
export type Place = { placement: Placement; from?: string; types: CreatedType[] };

const TYPES: readonly CreatedType[] = [
  ...(["TimerAction", "SendEmailAction", "AudienceFilter"] as const),
  ...(["BranchNode", "ExperimentBranchNode", "VariantNode"] as const),
];

const typesAt = (graph: Graph, placement: Placement): CreatedType[] =>
  TYPES.filter((type) => !("refusal" in insertNode(graph, type, placement, triedIds())));

const withTypes = (graph: Graph, places: readonly Omit<Place, "types">[]): Place[] =>
  places.map((place) => ({ ...place, types: typesAt(graph, place.placement) })).filter(({ types }) => types.length > 0);

/** The place right below a node. A fork has none of its own: a node on one of its paths is added above the first node of that path. */
export const placesBelow = (graph: Graph, id: string): Place[] =>
  isFork(node(graph, id)) ? [] : withTypes(graph, [{ placement: { insertMode: "after", fromNodeId: id } }]);

/** The places right above a node: on every edge to it, and on one of them where that comes from a fork. */
export const placesAbove = (graph: Graph, id: string): Place[] => {
  const parents = parentsOf(graph, id);
  const ofForks = parents
    .filter((from) => isFork(node(graph, from)))
    .map((from) => ({ placement: { insertMode: "between", fromNodeId: from, toNodeId: id } as const, from }));
  const [only] = ofForks;
  // On a single edge both are the same, and "between" takes a variant too.
  if (only && parents.length === 1) return withTypes(graph, [{ placement: only.placement }]);
  const every = parents.length === 0 ? [] : [{ placement: { insertMode: "before", toNodeId: id } as const }];
  return withTypes(graph, [...every, ...ofForks]);
};

/** The nodes that a node can lead to in place of the one that it leads to now. */
export const targetsOf = (graph: Graph, id: string): string[] => {
  const { nextNodeIds } = node(graph, id);
  return Object.keys(graph.nodes).filter(
    (target) => !nextNodeIds.includes(target) && !("refusal" in reroute(graph, id, target)),
  );
};

/**
 * What can be deleted at a node. `one`: the node alone. `below`: the nodes that are reached through it only, itself first; undefined where that is
 * the node alone, or where it cannot be deleted.
 */
export const removalsAt = (graph: Graph, id: string): { one: boolean; below: string[] | undefined } => {
  const all = removeBelow(graph, id);
  const one = !("refusal" in removeNode(graph, id));
  if ("refusal" in all) return { one, below: undefined };
  return { one, below: all.nodeIds.length > 1 || !one ? all.nodeIds : undefined };
};
