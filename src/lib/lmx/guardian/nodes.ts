import { decode } from "../parse/entities.ts";
import { type ComponentName, type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import type { ComponentPosition, Position } from "../problem.ts";

/** A position in a field. In a `component`, `line` and `column` locate the using tag. */
export type ContentLocation = Position & { path: string; component?: ComponentPosition };

/** A document node. `parents` starts with the outermost. */
export type Node = {
  node: MarkupNode;
  parents: readonly ElementNode[];
  location: (at: Position) => ContentLocation;
};

type Inside = { use: Position; component: ComponentName };

const locationIn =
  (inside: Inside | undefined) =>
  ({ line, column }: Position): ContentLocation => {
    const at = inside?.use ?? { line, column };
    const location = { path: `lmx:${at.line}:${at.column}`, line: at.line, column: at.column };
    return inside === undefined ? location : { ...location, component: { id: inside.component.id, line, column } };
  };

/** Lists nodes, including components, in reading order. */
export const nodesOf = (tree: readonly MarkupNode[]): Node[] => {
  const found: Node[] = [];
  const visit = (nodes: readonly MarkupNode[], parents: readonly ElementNode[], inside: Inside | undefined): void => {
    const location = locationIn(inside);
    for (const node of nodes) {
      found.push({ node, parents, location });
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
