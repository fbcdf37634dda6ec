import { Graph, layout } from "@dagrejs/dagre";
import type { Workflow } from "../read.ts";

/** Size of a node on the canvas, in px. */
export const NODE = { width: 240, height: 104 } as const;

/** Where the upper left corner of a node is, in px. */
export type At = { x: number; y: number };

type Shape = Pick<Workflow, "nodes" | "rootNodeId">;

/** Lays a graph out from top to bottom, the root first. The API stores no positions. */
export const layoutOf = ({ nodes }: Shape): ReadonlyMap<string, At> => {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of Object.keys(nodes)) graph.setNode(id, { ...NODE });
  for (const [id, { nextNodeIds }] of Object.entries(nodes)) for (const next of nextNodeIds) graph.setEdge(id, next);
  layout(graph);
  return new Map(
    Object.keys(nodes).map((id) => {
      const { x, y } = graph.node(id) as At;
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
};
