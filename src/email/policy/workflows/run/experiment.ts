import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph, NodeOf } from "../../../../lib/workflow-graph/types.ts";

/** Hashes two texts to [0, 1): FNV-1a plus the last step of MurmurHash3, which separates similar texts. */
export const share = (one: string, other: string): number => {
  let hash = 0x811c9dc5;
  for (const character of `${one}\0${other}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

/**
 * Returns the stable variant id of a contact, by the highest hash. A new variant moves no contact between old ones.
 *
 * @param contact its id
 * @returns undefined for a contact that is not sampled, if there is no control
 */
export const variantOf = (
  graph: Graph,
  id: string,
  experiment: NodeOf<"ExperimentBranchNode">,
  contact: string,
): string | undefined => {
  const children = experiment.nextNodeIds.flatMap((child) => {
    const workflowNode = node(graph, child);
    return workflowNode.typeName === "VariantNode" ? [{ id: child, isControl: workflowNode.isControl }] : [];
  });
  const isSampled = share(id, contact) * 100 < experiment.samplingRate;
  const variants = children.filter(({ isControl }) => !isControl).map((child) => child.id);
  const best = variants.sort((a, b) => share(b, contact) - share(a, contact))[0];
  return isSampled && best !== undefined ? best : children.find(({ isControl }) => isControl)?.id;
};
