import type { Graph } from "../../../src/lib/workflow-graph/types.ts";
import { MAX_NODES } from "../../../src/lib/workflow-graph/validate.ts";
import { isSameNode, matched } from "./match.ts";
import { setFields } from "./node-fields.ts";
import { type Draft, type Op, remove } from "./ops.ts";
import { pad, padded, reshape } from "./shape.ts";
import { type Pairs, pairsOfSame, type Spec } from "./spec.ts";

/** Requests that turn one workflow into another. `pairs`: wanted nodes to result nodes. */
export type Plan = { ops: Op[]; pairs: Pairs; graph: Graph };

/**
 * Plans the requests that apply a file. Each is simulated as the API would do it.
 *
 * @throws if the API cannot make such a change
 */
export const planOf = (wanted: Spec, current: Spec): Plan => {
  const size = Object.keys(wanted.graph.nodes).length;
  if (size > MAX_NODES) throw new Error(`The file has ${size} nodes, and a workflow has at most ${MAX_NODES}.`);
  const draft: Draft = { graph: current.graph, ops: [] };
  const pairs = sameOf(wanted, current) ?? reshaped(draft, wanted, current);
  setFields(draft, wanted, current, pairs);
  return { ops: draft.ops, pairs, graph: draft.graph };
};

const sameOf = (wanted: Spec, current: Spec): Pairs | undefined => {
  const pairs = pairsOfSame(wanted.graph, current.graph);
  if (!pairs) return undefined;
  const isOdd = padded(current.graph).pads.length > 0;
  return isOdd || [...pairs].every(([w, c]) => isSameNode(wanted, w, current, c)) ? pairs : undefined;
};

const reshaped = (draft: Draft, wanted: Spec, current: Spec): Pairs => {
  const { graph, pads } = padded(wanted.graph);
  pad(draft);
  const pairs = matched({ ...wanted, graph }, { ...current, graph: draft.graph });
  reshape(draft, graph, pairs);
  for (const id of pads) {
    remove(draft, pairs.get(id) as string);
    pairs.delete(id);
  }
  if (!pairsOfSame(wanted.graph, draft.graph))
    throw new Error("The workflow cannot be changed to this file by requests of the API. Please report the file.");
  return pairs;
};
