import { Graph, layout } from "@dagrejs/dagre";
import type { Workflow } from "../types.ts";

/** Size of a node on the canvas, in px. */
export const NODE = { width: 240, height: 96 } as const;

/** Where the upper left corner of a node is, in px. */
export type At = { x: number; y: number };

/** Children of a fork stay right below it. */
const WEIGHT_OF_FORK = 8;

/** Lays a graph out from top to bottom, the paths of a fork from left to right. The API stores no positions. */
export const layoutOf = ({ nodes }: Pick<Workflow, "nodes">): ReadonlyMap<string, At> => {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 48 });
  const all = Object.entries(nodes);
  const parents = new Map<string, number>();
  for (const [id, { nextNodeIds }] of all) {
    graph.setNode(id, { ...NODE });
    for (const next of nextNodeIds) parents.set(next, (parents.get(next) ?? 0) + 1);
  }
  const constraints: { left: string; right: string }[] = [];
  for (const [id, { nextNodeIds }] of all) {
    for (const next of nextNodeIds) graph.setEdge(id, next, { weight: nextNodeIds.length > 1 ? WEIGHT_OF_FORK : 1 });
    // A node where paths meet belongs to no single fork.
    const own = nextNodeIds.filter((next) => parents.get(next) === 1);
    constraints.push(...own.slice(1).map((right, index) => ({ left: own[index] as string, right })));
  }
  layout(graph, { constraints });
  return new Map(
    all.map(([id]) => {
      const { x, y } = graph.node(id) as At;
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
};
