import type { Kind, Problem } from "../../../../lib/lmx/compile.ts";

/** A place to go to. Lines and columns count from 1, as those of a problem. */
export type Place = { line: number; column: number };

/** What the page around an editor may have it do. */
export type EditorHandle = {
  /** Moves the cursor, and gives the editor the focus. */
  goTo: (place: Place) => void;
};

/** Something that a document names by its id, such as a component. */
export type Named = { id: string; name: string };

export type EditorProps = {
  /** The LMX. The page keeps it: what a person types comes with `onChange`, and another `value` replaces the text. */
  value: string;
  onChange: (value: string) => void;
  /** What the compiler says of `value`, such as `compile(…).problems` or `checkComponent(…).problems`. They are marked, and F8 goes through them. */
  problems: readonly Problem[];
  /** The purpose of the document. It decides which variables and tags are offered. */
  kind: Kind;
  /** What a screen reader calls the editor, such as "LMX of the component Footer". */
  label: string;
  /** Full names of variables that a person may want, such as "contact.firstName". Those that the document has are offered too. */
  variables?: readonly string[];
  /** What `componentId` and `themeId` may name. */
  components?: readonly Named[];
  themes?: readonly Named[];
  /** Nothing can be typed. */
  readOnly?: boolean;
  /** Height of the text before it scrolls. */
  maxHeight?: string;
  handle?: React.Ref<EditorHandle>;
};
