/** A graph of nodes with one root and one exit, and without a circle. `nextNodeIds`: the edges of a node, left to right. */
export type Graphed = {
  readonly root: string;
  readonly exit: string;
  readonly nodes: Readonly<Record<string, { readonly typeName: string; readonly nextNodeIds: readonly string[] }>>;
};

type Node = Graphed["nodes"][string];

/** A step of a list: a node, a fork with its paths, or a jump to a node that stands elsewhere. */
export type Line = { node: string; paths?: Path[] } | { goto: string };

/** A path of a fork. `child`: its filter or variant; absent where the fork leads directly to the first step. */
export type Path = { child?: string; lines: Line[] };

/** A graph as nested lists. Each node but root and exit stands there once. `named`: nodes that a jump leads to. */
export type Tree = { lines: Line[]; named: ReadonlySet<string> };

/** The type of node that stands directly below each type of fork. */
export const CHILD = { BranchNode: "AudienceFilter", ExperimentBranchNode: "VariantNode" } as const;

const node = ({ nodes }: Graphed, id: string): Node => nodes[id] as Node;

const isFork = ({ typeName }: Node): boolean => Object.hasOwn(CHILD, typeName);

/** Ids of the nodes from the root on, each after all nodes that lead to it. */
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

/** Writes a graph as nested lists. The paths of a fork go on with the step after it, where they meet. */
export const treeOf = (graph: Graphed): Tree => {
  const meets = meetingsOf(graph);
  const done = new Set<string>();
  const named = new Set<string>();
  /** The steps from a node to `end`, which follows the list. */
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
      // All paths of a fork with one path go through its first node, which is no step after the fork.
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

/** For each node the first node that all of its paths go through. */
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
