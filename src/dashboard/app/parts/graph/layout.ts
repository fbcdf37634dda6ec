import { Graph, layout } from "@dagrejs/dagre";

/** Steps by id. `nextNodeIds`: from left to right. */
export type Nodes = Readonly<Record<string, { typeName: string; nextNodeIds: readonly string[] }>>;

/** Pixels. Upper left corner of a step. */
export type At = { x: number; y: number };
export type Box = At & { width: number; height: number };

/** How a step is drawn: a fork is a round node, and what begins one of its ways is the way's name. */
export type Shape = "card" | "fork" | "way";

/** Pixels. */
const SIZES: Readonly<Record<Shape, { width: number; height: number }>> = {
  card: { width: 252, height: 60 },
  fork: { width: 30, height: 30 },
  way: { width: 204, height: 28 },
};

const CHILD: Readonly<Record<string, string>> = { BranchNode: "AudienceFilter", ExperimentBranchNode: "VariantNode" };

export const isForkType = (typeName: string): boolean => Object.hasOwn(CHILD, typeName);

/** Shapes of all steps by id. */
export const shapesOf = (nodes: Nodes): ReadonlyMap<string, Shape> => {
  const ways = new Set(
    Object.values(nodes).flatMap(({ typeName, nextNodeIds }) =>
      nextNodeIds.filter((next) => nodes[next]?.typeName === CHILD[typeName]),
    ),
  );
  const shapeOf = (id: string, typeName: string): Shape =>
    isForkType(typeName) ? "fork" : ways.has(id) ? "way" : "card";
  return new Map(Object.entries(nodes).map(([id, { typeName }]) => [id, shapeOf(id, typeName)]));
};

/** Boxes of steps, and middles of the rows passed by an edge, keyed `from to`. */
export type Layout = {
  width: number;
  height: number;
  boxes: ReadonlyMap<string, Box>;
  passed: ReadonlyMap<string, readonly At[]>;
};

/** Keeps children right below their fork. */
const WEIGHT_OF_FORK = 8;

/** Dummy nodes for edges have `edgeObj`. */
type Ranked = { rank: number; order?: number; edgeObj?: { v: string; w: string } };

/** Walks fork paths from left to right, so edges cross only if distant paths meet. */
const orderRows = (nodes: Nodes, graph: Graph): void => {
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
export const layoutOf = (nodes: Nodes): Layout => {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 68, edgesep: 40 });
  const all = Object.entries(nodes);
  for (const [id, shape] of shapesOf(nodes)) graph.setNode(id, { ...SIZES[shape] });
  for (const [id, { nextNodeIds }] of all)
    for (const next of nextNodeIds) graph.setEdge(id, next, { weight: nextNodeIds.length > 1 ? WEIGHT_OF_FORK : 1 });
  layout(graph, { customOrder: (ranked) => orderRows(nodes, ranked as Graph) });
  const boxes = all.map(([id]): [string, Box] => {
    const { x, y, width, height } = graph.node(id) as Box;
    return [id, { x: x - width / 2, y: y - height / 2, width, height }];
  });
  const passed = graph.edges().map((edge): [string, At[]] => {
    const { points } = graph.edge(edge) as { points: At[] };
    // The library returns points alternately for gaps and rows.
    const rows = points.slice(1, -1).filter((_, index) => index % 2 === 1);
    return [`${edge.v} ${edge.w}`, rows.map(({ x, y }) => ({ x, y }))];
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height, boxes: new Map(boxes), passed: new Map(passed) };
};
