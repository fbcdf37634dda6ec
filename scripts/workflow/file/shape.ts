import { isFork, node } from "../../../src/lib/workflow-graph/edges.ts";
import { CHILD, fromTop } from "../../../src/lib/workflow-graph/tree.ts";
import type { CreatedType, Graph, WorkflowNode } from "../../../src/lib/workflow-graph/types.ts";
import { holdAll, missingEdges, type Target } from "./hold.ts";
import { addPath, type Draft, insert, lead, remove, removeUnless } from "./ops.ts";
import { forksOf, isOwnChild, nextOf, type Pairs, typeOf } from "./spec.ts";

/** Adds filters or variants so that each fork leads only to such children. `pads`: their ids. */
export const padded = (graph: Graph): { graph: Graph; pads: string[] } => {
  const nodes: Record<string, WorkflowNode> = { ...graph.nodes };
  const pads: string[] = [];
  for (const fork of forksOf(graph)) {
    const typeName = CHILD[typeOf(graph, fork) as keyof typeof CHILD];
    const nextNodeIds = node(graph, fork).nextNodeIds.map((child) => {
      if (isOwnChild(graph, fork, child)) return child;
      const pad = `pad:${fork}:${child}`;
      const fields =
        typeName === "VariantNode"
          ? { isControl: false }
          : { audienceFilter: null, audienceSegmentId: null, appliesDownstream: false };
      nodes[pad] = { typeName, k: graph.lastK + pads.length + 1, nextNodeIds: [child], ...fields } as WorkflowNode;
      pads.push(pad);
      return pad;
    });
    nodes[fork] = { ...node(graph, fork), nextNodeIds } as WorkflowNode;
  }
  return { graph: { ...graph, lastK: graph.lastK + pads.length, nodes }, pads };
};

/** Applies `padded` to a draft by requests. */
export const pad = (draft: Draft): void => {
  for (const fork of forksOf(draft.graph)) {
    const typeName = CHILD[typeOf(draft.graph, fork) as keyof typeof CHILD];
    for (const child of node(draft.graph, fork).nextNodeIds)
      if (!isOwnChild(draft.graph, fork, child))
        insert(draft, typeName, { insertMode: "between", fromNodeId: fork, toNodeId: child });
  }
};

/**
 * Gives a draft the wanted nodes and edges, without fields. Both graphs must be padded.
 * Contacts keep waiting at paired nodes. Adds the new nodes to `pairs`.
 */
export const reshape = (draft: Draft, wanted: Graph, pairs: Pairs): void => {
  const target: Target = { wanted, pairs, kept: new Set(pairs.values()) };
  removeSteps(draft, target);
  addNodes(draft, target);
  removePaths(draft, target);
  connect(draft, target);
  if (isDone(draft, target)) return;
  const release = holdAll(draft, target);
  removePaths(draft, target);
  connect(draft, target);
  release();
};

const unwanted = ({ graph }: Draft, { kept }: Target): string[] =>
  Object.keys(graph.nodes).filter((id) => !kept.has(id));

const removeSteps = (draft: Draft, target: Target): void => {
  for (const id of unwanted(draft, target)) {
    const isBelow = forksOf(draft.graph).some((fork) => node(draft.graph, fork).nextNodeIds.includes(id));
    if (!isFork(node(draft.graph, id)) && !isBelow) remove(draft, id);
  }
};

/** Works from the top, so that each new node has a parent. */
const addNodes = (draft: Draft, { wanted, pairs, kept }: Target): void => {
  const add = (w: string, id: string) => {
    pairs.set(w, id);
    kept.add(id);
  };
  for (const w of fromTop(wanted)) {
    const known = pairs.get(w);
    if (known === undefined) {
      const parents = Object.keys(wanted.nodes).filter((id) => nextOf(wanted, id) === w);
      const goal = pairs.get(nextOf(wanted, w) ?? "");
      const edges = parents.map((parent) => pairs.get(parent) as string);
      const from = edges.find((id) => nextOf(draft.graph, id) === goal) ?? edges[0] ?? "";
      const placement = { insertMode: "between", fromNodeId: from, toNodeId: nextOf(draft.graph, from) ?? "" } as const;
      const [id = "", ...children] = insert(draft, typeOf(wanted, w) as CreatedType, placement);
      add(w, id);
      for (const [i, child] of node(wanted, w).nextNodeIds.entries())
        if (children[i] !== undefined && isFork(node(wanted, w))) add(child, children[i]);
    }
    if (!isFork(node(wanted, w))) continue;
    for (const child of node(wanted, w).nextNodeIds)
      if (!pairs.has(child)) add(child, addPath(draft, pairs.get(w) as string));
  }
};

const removePaths = (draft: Draft, { kept }: Target): void => {
  for (const fork of forksOf(draft.graph)) {
    // The fork was deleted together with a path of another fork.
    if (!Object.hasOwn(draft.graph.nodes, fork)) continue;
    for (const child of node(draft.graph, fork).nextNodeIds.toReversed()) {
      if (kept.has(child) || node(draft.graph, fork).nextNodeIds.length === 1) continue;
      removeUnless(draft, child, kept);
    }
    const [last = "", ...others] = node(draft.graph, fork).nextNodeIds;
    if (kept.has(fork) || others.length > 0) continue;
    remove(draft, last);
    remove(draft, fork);
  }
};

/** The API requires that each node stays reachable. */
const connect = (draft: Draft, target: Target): void => {
  for (let before = -1; before < draft.ops.length; ) {
    before = draft.ops.length;
    for (const [from, to] of missingEdges(draft, target)) lead(draft, from, to);
    removePaths(draft, target);
  }
};

const isDone = (draft: Draft, target: Target): boolean =>
  unwanted(draft, target).length === 0 && missingEdges(draft, target).length === 0;
