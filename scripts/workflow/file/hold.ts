import { node } from "../../../src/lib/workflow-graph/edges.ts";
import type { Graph } from "../../../src/lib/workflow-graph/types.ts";
import { addPath, type Draft, insert, lead, remove, removeUnless } from "./ops.ts";
import { forksOf, nextOf, type Pairs } from "./spec.ts";

/** `pairs`: ids of the wanted graph to draft ids. `kept`: draft ids to keep. */
export type Target = { wanted: Graph; pairs: Pairs; kept: Set<string> };

/** Wanted edges, in draft ids, that the draft lacks. */
export const missingEdges = ({ graph }: Draft, { wanted, pairs }: Target): [from: string, to: string][] =>
  Object.keys(wanted.nodes).flatMap((w): [string, string][] => {
    const next = nextOf(wanted, w);
    if (next === undefined) return [];
    const [from, to] = [pairs.get(w) as string, pairs.get(next) as string];
    return nextOf(graph, from) === to ? [] : [[from, to]];
  });

/**
 * The API refuses to move an edge if a node would become unreachable.
 * A temporary branch below the trigger therefore keeps all such nodes reachable. Edges that would form a cycle lead
 * to the exit meanwhile.
 *
 * @returns a function that removes the branch when all edges are as wanted
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
  const placement = { insertMode: "between", fromNodeId: graph.root, toNodeId: first ?? graph.exit } as const;
  const [hub = "", ...paths] = insert(draft, "BranchNode", placement);
  // The second path keeps the first held node reachable while that node gets an edge.
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
