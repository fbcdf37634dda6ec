import { decode } from "../parse/entities.ts";
import { type ComponentName, type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import type { ComponentPlace, Position } from "../problem.ts";

/**
 * A place in a message. `path`: the field; for the document with line and column. `component`: the place is in this
 * component, and `line` and `column` are those of the tag that uses it.
 */
export type Place = Position & { path: string; component?: ComponentPlace };

/** A node of a document. `parents`: from the outermost to the nearest. `place`: that of a position in the same text. */
export type Node = {
  node: MarkupNode;
  parents: readonly ElementNode[];
  place: (at: Position) => Place;
};

/** The use of a component by the document, and the component that the nodes are written in. */
type Inside = { use: Position; component: ComponentName };

const placeIn =
  (inside: Inside | undefined) =>
  ({ line, column }: Position): Place => {
    const at = inside?.use ?? { line, column };
    const place = { path: `lmx:${at.line}:${at.column}`, line: at.line, column: at.column };
    return inside === undefined ? place : { ...place, component: { id: inside.component.id, line, column } };
  };

/** Every node of a tree, components included, in reading order. */
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

/** The text inside a node, on one line. */
export const wordsOf = (node: MarkupNode): string =>
  (isElement(node) ? node.children.map(wordsOf).join(" ") : decode(node.raw)).replace(/\s+/g, " ").trim();
