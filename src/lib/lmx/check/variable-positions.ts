import { tags } from "../language/tags.ts";
import { splitVariables, type VariablePosition } from "../language/variables.ts";
import { isElement, type MarkupNode } from "../parse/tree.ts";
import { locator, type Position } from "../problem.ts";

const positionsIn = (raw: string, start: Position, component: string | undefined): VariablePosition[] => {
  if (!raw.includes("{")) return [];
  const position = locator(raw, start);
  return splitVariables(raw).flatMap((piece) => {
    if (typeof piece === "string") return [];
    const at = { variable: piece.name, ...position(piece.offset) };
    return [component === undefined ? at : { ...at, component }];
  });
};

/** Lists variables in reading order. `line` and `column` count in `component`, if any. */
export const positionsOf = (nodes: readonly MarkupNode[], component?: string): VariablePosition[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return positionsIn(node.raw, node, component);
    const rule = tags.get(node.tag);
    const own = node.attributes
      .filter(({ name }) => rule?.attributes[name]?.variables)
      .flatMap(({ raw, value }) => positionsIn(raw, value, component));
    const inside = rule?.content === "raw" ? [] : positionsOf(node.children, node.from?.id ?? component);
    return [...own, ...inside];
  });
