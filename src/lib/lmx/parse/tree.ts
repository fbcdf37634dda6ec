import type { Position } from "../problem.ts";

/** `raw` is the value as written, entities included. `line` and `column` are those of the name. */
export type Attribute = Position & { name: string; raw: string; value: Position };
export type ElementNode = Position & {
  tag: string;
  attributes: Attribute[];
  children: MarkupNode[];
  /** The component that the children were read from. Their places are places in its text. */
  from?: ComponentName;
};
/** A component of the library. */
export type ComponentName = { id: string; name: string };
/** `raw` is the text as written, entities included. */
export type TextNode = Position & { raw: string };
export type MarkupNode = ElementNode | TextNode;

export const isElement = (node: MarkupNode): node is ElementNode => "tag" in node;
