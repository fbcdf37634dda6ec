import type { Position } from "../problem.ts";

/** `raw` is the value as written, entities included. `line` and `column` are those of the name. */
export type Attribute = Position & { name: string; raw: string; value: Position };
export type ElementNode = Position & { tag: string; attributes: Attribute[]; children: MarkupNode[] };
/** `raw` is the text as written, entities included. */
export type TextNode = Position & { raw: string };
export type MarkupNode = ElementNode | TextNode;

export const isElement = (node: MarkupNode): node is ElementNode => "tag" in node;
