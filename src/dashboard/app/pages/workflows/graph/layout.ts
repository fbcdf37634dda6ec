import { Graph, layout } from "@dagrejs/dagre";
import type { Workflow } from "../types.ts";

/** Pixels. */
export const NODE = { width: 240, height: 96 } as const;

/** Pixels. Upper left corner of a node. */
export type At = { x: number; y: number };

type Nodes = Pick<Workflow, "nodes">;

/** Node positions, and rows passed by an edge, keyed `from to`. */
export type Layout = { positions: ReadonlyMap<string, At>; passed: ReadonlyMap<string, readonly At[]> };

/** Keeps children right below their fork. */
const WEIGHT_OF_FORK = 8;

/** Dummy nodes for edges have `edgeObj`. */
type Ranked = { rank: number; order?: number; edgeObj?: { v: string; w: string } };

/** Walks fork paths from left to right, so edges cross only if distant paths meet. */
const orderRows = (nodes: Workflow["nodes"], graph: Graph): void => {
  const rows = new Map<number, number>();
  const visit = (id: string): void => {
    const ranked = graph.node(id) as Ranked;
    if (ranked.order !== undefined) return;
    ranked.order = rows.get(ranked.rank) ?? 0;
    rows.set(ranked.rank, ranked.order + 1);
    const orderOf = (next: string): number =>
      nodes[id]?.nextNodeIds.indexOf((graph.node(next) as Ranked).edgeObj?.w ?? next) ?? 0;
    for (const next of (graph.successors(id) ?? []).toSorted((a, b) => orderOf(a) - orderOf(b))) visit(next);
  };
  for (const id of graph.sources()) visit(id);
};

/** Layout from top to bottom, fork paths left to right. The API stores no positions. */
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
    // The library returns points alternately for gaps and rows.
    const rows = points.slice(1, -1).filter((_, index) => index % 2 === 1);
    return [`${edge.v} ${edge.w}`, rows.map(({ x, y }) => ({ x, y }))];
  });
  return { positions: new Map(positions), passed: new Map(passed) };
};
