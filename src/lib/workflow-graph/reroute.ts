import type { Refusal } from "../contract/errors.ts";
import { aNode, isFork, node, parentsOf, reachable, redirected } from "./edges.ts";
import type { Edit, Graph } from "./types.ts";

const refused = (path: "nodeId" | "newTargetNodeId", message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_target", path, message },
});

/** Returns the same graph if nothing changes. */
export const reroute = (graph: Graph, source: string, target: string): Edit => {
  const from = node(graph, source);
  if (isFork(from)) return refused("nodeId", `${source} is ${aNode(from)}: reroute one of the nodes below it.`);
  const [old] = from.nextNodeIds;
  if (old === undefined) return refused("nodeId", "Nothing goes after the exit.");
  if (old === target) return { graph };
  const why = targetFault(graph, source, target);
  if (why !== undefined) return refused("newTargetNodeId", why);
  if (parentsOf(graph, old).length === 1) {
    const message = `No other node leads to ${old}, so nothing could reach it. Lead another node to it first, or delete it.`;
    return refused("newTargetNodeId", message);
  }
  return { graph: redirected(graph, [source], old, target) };
};

const targetFault = (graph: Graph, source: string, target: string): string | undefined => {
  if (target === graph.root) return "Nothing leads to the trigger.";
  if (target === source) return "A node cannot lead to itself.";
  if (reachable(graph, target).has(source)) return `${target} leads to ${source}: this would make a circle.`;
  // Every path ends in the exit, so it may have any parent.
  if (target === graph.exit) return undefined;
  const parent = parentsOf(graph, target).find((id) => isFork(node(graph, id)));
  if (parent === undefined) return undefined;
  const { typeName } = node(graph, parent);
  return `${target} stands directly below the ${typeName} ${parent}, and is reached through it only.`;
};
