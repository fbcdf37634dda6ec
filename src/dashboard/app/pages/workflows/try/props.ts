import type { Shown } from "../use-workflow.ts";

/** Trial kind, stored in the URL. */
type Trying = "person" | "events";

/** Trial props. `onTrace`: marks visited nodes. `onSelect`: shows a node. */
export type TrialPanelProps = Shown & {
  trying: Trying;
  onTrace: (nodeIds: readonly string[]) => void;
  onSelect: (nodeId: string) => void;
  onClose: () => void;
};
