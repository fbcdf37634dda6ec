import { isFork, node, parentsOf } from "../../../../lib/workflow-graph/edges.ts";
import { insertNode, type Placement } from "../../../../lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../lib/workflow-graph/remove.ts";
import { reroute } from "../../../../lib/workflow-graph/reroute.ts";
import type { CreatedType, Graph, WorkflowNode } from "../../../../lib/workflow-graph/types.ts";
import type { Workflow } from "./types.ts";

/** Converts the API graph for the service's edit rules. */
export const graphOf = ({ rootNodeId, nodes }: Pick<Workflow, "rootNodeId" | "nodes">): Graph => {
  const all = Object.entries(nodes);
  return {
    root: rootNodeId,
    exit: all.find(([, { typeName }]) => typeName === "ExitAction")?.[0] ?? "",
    lastK: all.length,
    nodes: Object.fromEntries(all.map(([id, one], index) => [id, { ...one, k: index + 1 } as WorkflowNode])),
  };
};

/** A place for new nodes. `from`: selects one of several edges. */
export type InsertPoint = { placement: Placement; from?: string; types: CreatedType[] };

/** Types of new nodes by their words. */
export const TYPE_NAMES: Readonly<Record<CreatedType, string>> = {
  TimerAction: "Wait",
  SendEmailAction: "Send a mail",
  AudienceFilter: "Filter",
  BranchNode: "Branch",
  ExperimentBranchNode: "Experiment",
  VariantNode: "Variant",
};

const typesAt = (graph: Graph, placement: Placement): CreatedType[] => {
  let n = 0;
  const tried = (prefix: string): string => `${prefix} tried ${++n}`;
  const all = Object.keys(TYPE_NAMES) as CreatedType[];
  return all.filter((type) => !("refusal" in insertNode(graph, type, placement, tried)));
};

/** Types that fit on an edge, or without `from` on all edges to a node. Undefined if there are none. */
export const pointAt = (graph: Graph, to: string, from?: string): InsertPoint | undefined => {
  const placement: Placement =
    from === undefined
      ? { insertMode: "before", toNodeId: to }
      : isFork(node(graph, from))
        ? { insertMode: "between", fromNodeId: from, toNodeId: to }
        : { insertMode: "after", fromNodeId: from };
  const types = typesAt(graph, placement);
  return types.length > 0 ? { placement, types, ...(from === undefined ? {} : { from }) } : undefined;
};

const known = (points: readonly (InsertPoint | undefined)[]): InsertPoint[] =>
  points.filter((point) => point !== undefined);

/** Places below a node. A fork has none. */
export const pointsBelow = (graph: Graph, id: string): InsertPoint[] =>
  isFork(node(graph, id)) ? [] : known(node(graph, id).nextNodeIds.map((to) => pointAt(graph, to, id)));

/** Places above a node: all edges, or a single edge from a fork. */
export const pointsAbove = (graph: Graph, id: string): InsertPoint[] => {
  const parents = parentsOf(graph, id);
  const ofForks = parents.filter((from) => isFork(node(graph, from))).map((from) => pointAt(graph, id, from));
  // A single edge is the same for both, and "between" also takes a variant.
  if (ofForks.length > 0 && parents.length === 1) return known(ofForks);
  return known([parents.length === 0 ? undefined : pointAt(graph, id), ...ofForks]);
};

/** Possible new targets of a node's edge. */
export const targetsOf = (graph: Graph, id: string): string[] => {
  const { nextNodeIds } = node(graph, id);
  return Object.keys(graph.nodes).filter(
    (target) => !nextNodeIds.includes(target) && !("refusal" in reroute(graph, id, target)),
  );
};

/** Possible deletions. `one`: only this node. `below`: with nodes reachable only through it. */
export const removalsAt = (graph: Graph, id: string): { one: boolean; below: string[] | undefined } => {
  const all = removeBelow(graph, id);
  const one = !("refusal" in removeNode(graph, id));
  if ("refusal" in all) return { one, below: undefined };
  return { one, below: all.nodeIds.length > 1 || !one ? all.nodeIds : undefined };
};

type Mails = { nodeId: string; mails?: { queued: number; held: number } | undefined };

/** Unsent mails of these nodes, lost on deletion. */
export const unsentOf = (nodes: readonly Mails[], ids: readonly string[]): number =>
  nodes
    .filter(({ nodeId }) => ids.includes(nodeId))
    .reduce((sum, { mails }) => sum + (mails ? mails.queued + mails.held : 0), 0);
