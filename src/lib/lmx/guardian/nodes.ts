import { decode } from "../parse/entities.ts";
import { type ComponentName, type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import type { ComponentPlace, Position } from "../problem.ts";

/** A position in a field. In a `component`, `line` and `column` locate the using tag. */
export type Place = Position & { path: string; component?: ComponentPlace };

/** A document node. `parents` starts with the outermost. */
export type Node = {
  node: MarkupNode;
  parents: readonly ElementNode[];
  place: (at: Position) => Place;
};

type Inside = { use: Position; component: ComponentName };

const placeIn =
  (inside: Inside | undefined) =>
  ({ line, column }: Position): Place => {
    const at = inside?.use ?? { line, column };
    const place = { path: `lmx:${at.line}:${at.column}`, line: at.line, column: at.column };
    return inside === undefined ? place : { ...place, component: { id: inside.component.id, line, column } };
  };

/** Lists nodes, including components, in reading order. */
export const nodesOf = (tree: readonly MarkupNode[]): Node[] => {
  const found: Node[] = [];
  const visit = (nodes: readonly MarkupNode[], parents: readonly ElementNode[], inside: Inside | undefined): void => {
    const place = placeIn(inside);
    for (const node of nodes) {
      found.push({ node, parents, place });
      if (!isElement(node)) continue;
      const { from } = node;
      const next = from === undefined ? inside : { use: inside?.use ?? node, component: from };
      visit(node.children, [...parents, node], next);
    }
  };
  visit(tree, [], undefined);
  return found;
};

/** Returns the text on one line. */
export const wordsOf = (node: MarkupNode): string =>
  (isElement(node) ? node.children.map(wordsOf).join(" ") : decode(node.raw)).replace(/\s+/g, " ").trim();
