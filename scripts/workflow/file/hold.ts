import { node } from "../../../src/lib/workflow-graph/edges.ts";
import type { Graph } from "../../../src/lib/workflow-graph/types.ts";
import { addPath, type Draft, insert, lead, remove, removeUnless } from "./ops.ts";
import { forksOf, nextOf, type Pairs } from "./spec.ts";

/** `pairs`: ids of the wanted graph to ids of the draft. `kept`: the ids of the draft that are wanted. */
export type Target = { wanted: Graph; pairs: Pairs; kept: Set<string> };

/** The wanted edges of nodes that have one, in ids of the draft, that the draft does not have. */
export const missingEdges = ({ graph }: Draft, { wanted, pairs }: Target): [from: string, to: string][] =>
  Object.keys(wanted.nodes).flatMap((w): [string, string][] => {
    const next = nextOf(wanted, w);
    if (next === undefined) return [];
    const [from, to] = [pairs.get(w) as string, pairs.get(next) as string];
    return nextOf(graph, from) === to ? [] : [[from, to]];
  });

/**
 * The API leads no edge elsewhere when a node would be lost, so two nodes cannot change places by themselves. A branch below
 * the trigger, for the time of the change, leads to all nodes that could be lost; and the edges that cannot be made yet lead to
 * the exit, so that no circle can be in the way.
 *
 * @returns removes the branch when all edges are as wanted
 */
export const holdAll = (draft: Draft, target: Target): (() => void) => {
  const { graph } = draft;
  const missing = missingEdges(draft, target);
  const lost = forksOf(graph)
    .flatMap((fork) => node(graph, fork).nextNodeIds)
    .filter((child) => !target.kept.has(child));
  const [first, ...held] = new Set(
    [graph.root, ...missing.map(([from]) => from), ...lost].map((id) => nextOf(graph, id) ?? graph.exit),
  );
  const place = { insertMode: "between", fromNodeId: graph.root, toNodeId: first ?? graph.exit } as const;
  const [hub = "", ...paths] = insert(draft, "BranchNode", place);
  // The first path leads to the first held node already. The second one keeps it reached while it gets its own.
  const needed = held.filter((id) => id !== graph.exit);
  for (const [i, id] of needed.entries()) {
    const path = paths[i + 1] ?? addPath(draft, hub);
    lead(draft, path, id);
  }
  for (const [from] of missing) if (from !== graph.root) lead(draft, from, graph.exit);
  for (const id of [hub, ...node(draft.graph, hub).nextNodeIds]) target.kept.add(id);
  return () => {
    for (const id of [hub, ...node(draft.graph, hub).nextNodeIds]) target.kept.delete(id);
    const [top = "", ...others] = node(draft.graph, hub).nextNodeIds;
    const goal = target.pairs.get(nextOf(target.wanted, target.wanted.root) ?? "") as string;
    lead(draft, top, goal);
    for (const path of others) removeUnless(draft, path, target.kept);
    remove(draft, top);
    remove(draft, hub);
  };
};
