import { Graph, layout } from "@dagrejs/dagre";
import type { Workflow } from "../types.ts";

/** Size of a node on the canvas, in px. */
export const NODE = { width: 240, height: 96 } as const;

/** A place on the canvas, in px. Of a node: its upper left corner. */
export type At = { x: number; y: number };

type Nodes = Pick<Workflow, "nodes">;

/** Where nodes stand, and the rows between that an edge passes, by `from to`. */
export type Layout = { positions: ReadonlyMap<string, At>; passed: ReadonlyMap<string, readonly At[]> };

/** Children of a fork stay right below it. */
const WEIGHT_OF_FORK = 8;

/** What the library says about a node while it orders rows: a stand-in for a row that an edge passes has the edge. */
type Ranked = { rank: number; order?: number; edgeObj?: { v: string; w: string } };

/**
 * Orders every row by a walk from the top that takes the paths of a fork from left to right. So all nodes of a path, and the edges that pass a row,
 * stand left of the next path, and edges cross only where paths meet that are not neighbours.
 */
const orderRows = (nodes: Workflow["nodes"], graph: Graph): void => {
  const rows = new Map<number, number>();
  const visit = (id: string): void => {
    const one = graph.node(id) as Ranked;
    if (one.order !== undefined) return;
    one.order = rows.get(one.rank) ?? 0;
    rows.set(one.rank, one.order + 1);
    const place = (next: string): number =>
      nodes[id]?.nextNodeIds.indexOf((graph.node(next) as Ranked).edgeObj?.w ?? next) ?? 0;
    for (const next of (graph.successors(id) ?? []).toSorted((a, b) => place(a) - place(b))) visit(next);
  };
  for (const id of graph.sources()) visit(id);
};

/** Lays a graph out from top to bottom, the paths of a fork from left to right. The API stores no positions. */
export const layoutOf = ({ nodes }: Nodes): Layout => {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 64, edgesep: 40 });
  const all = Object.entries(nodes);
  for (const [id] of all) graph.setNode(id, { ...NODE });
  for (const [id, { nextNodeIds }] of all)
    for (const next of nextNodeIds) graph.setEdge(id, next, { weight: nextNodeIds.length > 1 ? WEIGHT_OF_FORK : 1 });
  layout(graph, { customOrder: (ranked) => orderRows(nodes, ranked as Graph) });
  const positions = all.map(([id]): [string, At] => {
    const { x, y } = graph.node(id) as At;
    return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
  });
  const passed = graph.edges().map((edge): [string, At[]] => {
    const { points } = graph.edge(edge) as { points: At[] };
    // The library puts a point into each row and each gap: gap, row, gap, between the two ends.
    const rows = points.slice(1, -1).filter((_, index) => index % 2 === 1);
    return [`${edge.v} ${edge.w}`, rows.map(({ x, y }) => ({ x, y }))];
  });
  return { positions: new Map(positions), passed: new Map(passed) };
};
