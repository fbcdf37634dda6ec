import type { Shown } from "./use-workflow.ts";

/** Input of graph and list. `traced`: nodes of a trial. `problems`: by node. */
export type Drawn = Shown & {
  selected: string | undefined;
  traced: readonly string[];
  problems: ReadonlyMap<string, string>;
  onSelect: (nodeId: string) => void;
};
