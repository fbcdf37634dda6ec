import type { Shown } from "../use-workflow.ts";

/** Props of the node editor. `onSelect`: shows a node or none. Actions refetch automatically. */
export type NodeEditProps = Shown & { nodeId: string; onSelect: (nodeId: string | undefined) => void };
