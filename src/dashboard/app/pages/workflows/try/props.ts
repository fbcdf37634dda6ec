import type { Shown } from "../read.ts";

/** What is tried: the workflow for one person, or for the events of the last days. It is in the address of the page. */
export type Trying = "person" | "events";

/**
 * A trial of the workflow, beside its graph. `onTrace`: shows these nodes as those that the trial went through; none when it is over.
 * `onSelect`: shows a node. `onClose`: ends the trial.
 */
export type TrialPanelProps = Shown & {
  trying: Trying;
  onTrace: (nodeIds: readonly string[]) => void;
  onSelect: (nodeId: string) => void;
  onClose: () => void;
};
