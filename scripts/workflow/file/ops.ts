import type { SourceChanges } from "../../../src/lib/lmx/message/message-source.ts";
import { addBranch, insertNode, type Placement } from "../../../src/lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../src/lib/workflow-graph/remove.ts";
import { reroute } from "../../../src/lib/workflow-graph/reroute.ts";
import type { CreatedType, Edit, Graph } from "../../../src/lib/workflow-graph/types.ts";
import { type NodeChanges, updateNode } from "../../../src/lib/workflow-graph/update.ts";

/** One request of a plan. Ids of planned nodes begin with `new:`. `made` lists the node, then its children. */
export type Op =
  | { do: "properties"; name?: string; description?: string }
  | { do: "list"; mailingListId: string | null }
  | { do: "insert"; nodeTypeName: CreatedType; placement: Placement; made: string[] }
  | { do: "addBranch"; node: string; made: string[] }
  | { do: "update"; node: string; payload: NodeChanges }
  | { do: "reroute"; node: string; target: string }
  | { do: "delete"; node: string; below: boolean; nodeIds: string[] }
  | { do: "message"; node: string; changes: SourceChanges };

/** A graph that is edited as the API would edit it, with the requests. */
export type Draft = { graph: Graph; ops: Op[] };

/** Prefix of the id of a planned node. */
const NEW = "new:";

const edited = <More>(draft: Draft, edit: Edit<More>, opOf: (done: { graph: Graph } & More) => Op): void => {
  if ("refusal" in edit) throw new Error(edit.refusal.message);
  draft.graph = edit.graph;
  draft.ops.push(opOf(edit));
};

const newId = (draft: Draft) => {
  let n = draft.ops.length * 10;
  return (prefix: string) => `${NEW}${prefix}_${n++}`;
};

/** @returns the id of the new node, then the ids of its children */
export const insert = (draft: Draft, nodeTypeName: CreatedType, placement: Placement): string[] => {
  let made: string[] = [];
  edited(draft, insertNode(draft.graph, nodeTypeName, placement, newId(draft)), ({ node, children }) => {
    made = [node, ...children];
    return { do: "insert", nodeTypeName, placement, made };
  });
  return made;
};

/** @returns the id of the new filter or variant */
export const addPath = (draft: Draft, fork: string): string => {
  let made = "";
  edited(draft, addBranch(draft.graph, fork, newId(draft)), ({ node }) => {
    made = node;
    return { do: "addBranch", node: fork, made: [made] };
  });
  return made;
};

export const remove = (draft: Draft, id: string): void =>
  edited(draft, removeNode(draft.graph, id), ({ nodeIds }) => ({ do: "delete", node: id, below: false, nodeIds }));

/** Deletes a node and everything reachable only through it, unless that includes a kept node. */
export const removeUnless = (draft: Draft, id: string, kept: ReadonlySet<string>): void => {
  const edit = removeBelow(draft.graph, id);
  if ("refusal" in edit || edit.nodeIds.some((nodeId) => kept.has(nodeId))) return;
  edited(draft, edit, ({ nodeIds }) => ({ do: "delete", node: id, below: true, nodeIds }));
};

/** Redirects a node's edge, unless the API would refuse it now. */
export const lead = (draft: Draft, id: string, target: string): void => {
  const edit = reroute(draft.graph, id, target);
  if ("refusal" in edit || edit.graph === draft.graph) return;
  edited(draft, edit, () => ({ do: "reroute", node: id, target }));
};

export const update = (draft: Draft, id: string, payload: NodeChanges): void =>
  edited(draft, updateNode(draft.graph, id, payload), () => ({ do: "update", node: id, payload }));
