import { type Line, treeOf } from "../../../../lib/workflow-graph/tree.ts";
import type { Entry } from "../../parts/graph/types.ts";
import { graphOf } from "./shape.ts";
import type { Workflow } from "./types.ts";

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
  const graph = graphOf(workflow);
  return [{ nodeId: graph.root }, ...treeOf(graph).lines.map(entryOf), { nodeId: graph.exit }];
};
