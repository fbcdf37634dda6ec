import type { Shown } from "../read.ts";

/**
 * What edits the node that is selected. `onSelect`: shows another node, or none, such as after this one was deleted. All that the page reads is
 * read again after each act, so an edit need not ask for it.
 */
export type NodeEditProps = Shown & { nodeId: string; onSelect: (nodeId: string | undefined) => void };
