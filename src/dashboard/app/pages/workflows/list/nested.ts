import { type Graphed, type Line, treeOf } from "../../../../../lib/workflow-graph/tree.ts";
import type { Workflow } from "../types.ts";

/** A list entry. `paths`: of a fork. `isJump`: the node is elsewhere in the list. */
export type Entry = { nodeId: string; isJump?: true; paths?: Entry[][] };

const graphedOf = ({ rootNodeId, nodes }: Pick<Workflow, "rootNodeId" | "nodes">): Graphed => ({
  root: rootNodeId,
  exit: Object.keys(nodes).find((id) => nodes[id]?.typeName === "ExitAction") ?? "",
  nodes,
});

const entryOf = (line: Line): Entry => {
  if ("goto" in line) return { nodeId: line.goto, isJump: true };
  if (!line.paths) return { nodeId: line.node };
  const paths = line.paths.map(({ child, lines }) => [
    ...(child === undefined ? [] : [{ nodeId: child }]),
    ...lines.map(entryOf),
  ]);
  return { nodeId: line.node, paths };
};

/** Nested lists with each node once; other paths get jumps. */
export const nestedOf = (workflow: Pick<Workflow, "rootNodeId" | "nodes">): Entry[] => {
  const graph = graphedOf(workflow);
  return [{ nodeId: graph.root }, ...treeOf(graph).lines.map(entryOf), { nodeId: graph.exit }];
};
