import type { CreatedType, Graph, NewId, NodeFields, NodeType, WorkflowNode } from "./types.ts";

/** Creates a graph with a blank trigger and the exit. */
export const emptyGraph = (id: NewId): Graph => {
  const [root, exit] = [id("nod"), id("nod")];
  return {
    root,
    exit,
    lastK: 2,
    nodes: {
      [root]: { typeName: "BlankTrigger", k: 1, nextNodeIds: [exit] },
      [exit]: { typeName: "ExitAction", k: 2, nextNodeIds: [] },
    },
  };
};

/** A new timer waits: a timer that a person did not set must not mail at once. */
const defaults: { readonly [Type in CreatedType]: (id: NewId) => NodeFields[Type] } = {
  AudienceFilter: () => ({ audienceFilter: null, audienceSegmentId: null, appliesDownstream: false }),
  BranchNode: () => ({}),
  ExperimentBranchNode: () => ({ samplingRate: 50 }),
  TimerAction: () => ({ amount: 1, unit: "d" }),
  SendEmailAction: (id) => ({ emailMessageId: id("msg") }),
  VariantNode: () => ({ isControl: false }),
};

const childrenOf: Partial<Record<NodeType, readonly { typeName: CreatedType; isControl?: boolean }[]>> = {
  BranchNode: [{ typeName: "AudienceFilter" }, { typeName: "AudienceFilter" }],
  ExperimentBranchNode: [
    { typeName: "VariantNode" },
    { typeName: "VariantNode" },
    { typeName: "VariantNode", isControl: true },
  ],
};

/** Number of nodes that a new node adds, children included. */
export const sizeOf = (typeName: CreatedType): number => 1 + (childrenOf[typeName]?.length ?? 0);

/** Adds a node with children that lead to `next`. No edge leads to it yet. */
export const withNode = (
  graph: Graph,
  typeName: CreatedType,
  next: string,
  id: NewId,
): { graph: Graph; node: string; children: string[] } => {
  const own = id("nod");
  const wanted = childrenOf[typeName] ?? [];
  const children = wanted.map(() => id("nod"));
  const nodeOf = (type: CreatedType, offset: number, nextNodeIds: string[]) => ({
    typeName: type,
    k: graph.lastK + offset,
    nextNodeIds,
    ...defaults[type](id),
  });
  const added = [
    [own, nodeOf(typeName, 1, children.length > 0 ? children : [next])] as const,
    ...wanted.map(
      ({ typeName: type, ...fields }, i) => [children[i], { ...nodeOf(type, i + 2, [next]), ...fields }] as const,
    ),
  ];
  const nodes = { ...graph.nodes, ...(Object.fromEntries(added) as Record<string, WorkflowNode>) };
  return { graph: { ...graph, lastK: graph.lastK + added.length, nodes }, node: own, children };
};
