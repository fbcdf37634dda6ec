import type { Kind, Problem } from "../../../../lib/lmx/compile.ts";

/** A place. Lines and columns start at 1. */
export type Position = { line: number; column: number };

export type EditorHandle = {
  /** Moves the cursor and focuses the editor. */
  goTo: (position: Position) => void;
};

/** An item with an id, such as a component. */
export type Named = { id: string; name: string };

export type EditorProps = {
  /** A new `value` replaces the text. */
  value: string;
  onChange: (value: string) => void;
  /** Compiler problems of `value`, such as `compile(…).problems` or `checkComponent(…).problems`. */
  problems: readonly Problem[];
  /** Decides which variables and tags are offered. */
  kind: Kind;
  /** Accessible name, such as "LMX of the component Footer". */
  label: string;
  /** Additional full variable names, such as "contact.firstName". */
  variables?: readonly string[];
  components?: readonly Named[];
  themes?: readonly Named[];
  readOnly?: boolean;
  maxHeight?: string;
  handle?: React.Ref<EditorHandle>;
};
