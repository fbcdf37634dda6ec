import type { MessageSource } from "../../../src/lib/lmx/message/message-source.ts";
import { isFork, node, parentsOf } from "../../../src/lib/workflow-graph/edges.ts";
import { CHILD } from "../../../src/lib/workflow-graph/tree.ts";
import type { Graph, NodeType } from "../../../src/lib/workflow-graph/types.ts";

/** A complete workflow. `list`: mailing list id. `messages`: by the `emailMessageId` of their nodes. */
export type Spec = {
  name: string;
  description: string;
  list: string | null;
  graph: Graph;
  messages: Readonly<Record<string, MessageSource>>;
};

/** True for a filter or variant that only this fork leads to. */
export const isOwnChild = (graph: Graph, fork: string, id: string): boolean => {
  const { typeName } = node(graph, fork);
  return (
    (typeName === "BranchNode" || typeName === "ExperimentBranchNode") &&
    node(graph, id).typeName === CHILD[typeName] &&
    parentsOf(graph, id).length === 1
  );
};

/** Ids of the wanted graph to ids of the other graph. */
export type Pairs = Map<string, string>;

/** Pairs all nodes of two graphs, or undefined if types or edges differ. */
export const pairsOfSame = (wanted: Graph, current: Graph): Pairs | undefined => {
  const pairs: Pairs = new Map([[wanted.root, current.root]]);
  // A `Map` iterator also returns entries added during iteration.
  for (const [w, c] of pairs) {
    const [one, other] = [node(wanted, w), node(current, c)];
    const isTriggerPair = w === wanted.root && c === current.root;
    if (!isTriggerPair && one.typeName !== other.typeName) return undefined;
    if (one.nextNodeIds.length !== other.nextNodeIds.length) return undefined;
    for (const [i, next] of one.nextNodeIds.entries()) {
      const known = pairs.get(next);
      if (known !== undefined && known !== other.nextNodeIds[i]) return undefined;
      pairs.set(next, other.nextNodeIds[i] as string);
    }
  }
  const isOneToOne = new Set(pairs.values()).size === pairs.size;
  return isOneToOne && pairs.size === Object.keys(current.nodes).length ? pairs : undefined;
};

/** The only edge of a node. Undefined for forks and the exit. */
export const nextOf = (graph: Graph, id: string): string | undefined =>
  isFork(node(graph, id)) ? undefined : node(graph, id).nextNodeIds[0];

export const forksOf = (graph: Graph): string[] => Object.keys(graph.nodes).filter((id) => isFork(node(graph, id)));

export const typeOf = (graph: Graph, id: string): NodeType => node(graph, id).typeName;
