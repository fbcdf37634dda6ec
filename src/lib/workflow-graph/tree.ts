/** An acyclic graph with one root and one exit. `nextNodeIds`: edges, left to right. */
export type Graphed = {
  readonly root: string;
  readonly exit: string;
  readonly nodes: Readonly<Record<string, { readonly typeName: string; readonly nextNodeIds: readonly string[] }>>;
};

type Node = Graphed["nodes"][string];

export type Line = { node: string; paths?: Path[] } | { goto: string };

export type Path = { child?: string; lines: Line[] };

/** A graph as nested lists; inner nodes appear once. `named`: jump targets. */
export type Tree = { lines: Line[]; named: ReadonlySet<string> };

export const CHILD = { BranchNode: "AudienceFilter", ExperimentBranchNode: "VariantNode" } as const;

const node = ({ nodes }: Graphed, id: string): Node => nodes[id] as Node;

const isFork = ({ typeName }: Node): boolean => Object.hasOwn(CHILD, typeName);

/** Returns ids from the root, each after its predecessors. */
export const fromTop = (graph: Graphed): string[] => {
  const done = new Set<string>();
  const order: string[] = [];
  const visit = (id: string): void => {
    if (done.has(id)) return;
    done.add(id);
    for (const next of node(graph, id).nextNodeIds.toReversed()) visit(next);
    order.push(id);
  };
  visit(graph.root);
  return order.reverse();
};

/** Converts a graph to nested lists. Paths of a fork end where they meet. */
export const treeOf = (graph: Graphed): Tree => {
  const meets = meetingsOf(graph);
  const done = new Set<string>();
  const named = new Set<string>();
  const listFrom = (start: string, end: string): Line[] => {
    const lines: Line[] = [];
    for (let id = start; id !== end; ) {
      if (done.has(id) || id === graph.exit) {
        named.add(id);
        return [...lines, { goto: id }];
      }
      done.add(id);
      const one = node(graph, id);
      const [first = graph.exit, ...others] = one.nextNodeIds;
      const next = isFork(one) ? (meets.get(others.length > 0 ? id : first) ?? graph.exit) : first;
      lines.push(
        isFork(one) ? { node: id, paths: one.nextNodeIds.map((child) => pathOf(id, child, next)) } : { node: id },
      );
      id = next;
    }
    return lines;
  };
  const pathOf = (fork: string, child: string, end: string): Path => {
    const { typeName } = node(graph, fork);
    const isFit = node(graph, child).typeName === CHILD[typeName as keyof typeof CHILD];
    if (!isFit || done.has(child) || child === end) return { lines: listFrom(child, end) };
    done.add(child);
    return { child, lines: listFrom(node(graph, child).nextNodeIds[0] ?? graph.exit, end) };
  };
  const lines = listFrom(node(graph, graph.root).nextNodeIds[0] ?? graph.exit, graph.exit);
  return { lines, named };
};

const meetingsOf = (graph: Graphed): ReadonlyMap<string, string> => {
  const order = fromTop(graph);
  const rank = new Map(order.map((id, i) => [id, i]));
  const all = new Map<string, Set<string>>();
  const meets = new Map<string, string>();
  for (const id of order.toReversed()) {
    const below = node(graph, id).nextNodeIds.map((next) => all.get(next) ?? new Set<string>());
    const [first = new Set<string>(), ...others] = below;
    const common = [...first].filter((one) => others.every((other) => other.has(one)));
    const meet = common.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))[0];
    if (meet !== undefined) meets.set(id, meet);
    all.set(id, new Set([id, ...common]));
  }
  return meets;
};
