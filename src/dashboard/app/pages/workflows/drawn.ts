import type { Shown } from "./read.ts";

/** What graph and list draw. `selected`: the node that is open. `traced`: nodes that a trial went through. `problems`: by node, why the workflow cannot start. */
export type Drawn = Shown & {
  selected: string | undefined;
  traced: readonly string[];
  problems: ReadonlyMap<string, string>;
  onSelect: (nodeId: string) => void;
};
