import type { Position } from "../problem.ts";

/** `raw` includes entities; the position is of the name. */
export type Attribute = Position & { name: string; raw: string; value: Position };
export type ElementNode = Position & {
  tag: string;
  attributes: Attribute[];
  children: MarkupNode[];
  /** Child positions are in this component's text. */
  from?: ComponentName;
};
export type ComponentName = { id: string; name: string };
/** `raw` includes entities. */
export type TextNode = Position & { raw: string };
export type MarkupNode = ElementNode | TextNode;

export const isElement = (node: MarkupNode): node is ElementNode => "tag" in node;
