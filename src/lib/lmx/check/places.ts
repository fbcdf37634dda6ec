import { tags } from "../language/tags.ts";
import { splitVariables, type VariablePlace } from "../language/variables.ts";
import { isElement, type MarkupNode } from "../parse/tree.ts";
import { locator, type Position } from "../problem.ts";

const placesIn = (raw: string, start: Position, component: string | undefined): VariablePlace[] => {
  if (!raw.includes("{")) return [];
  const position = locator(raw, start);
  return splitVariables(raw).flatMap((piece) => {
    if (typeof piece === "string") return [];
    const at = { variable: piece.name, ...position(piece.offset) };
    return [component === undefined ? at : { ...at, component }];
  });
};

/** Lists variables in reading order. `line` and `column` count in `component`, if any. */
export const placesOf = (nodes: readonly MarkupNode[], component?: string): VariablePlace[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return placesIn(node.raw, node, component);
    const rule = tags.get(node.tag);
    const own = node.attributes
      .filter(({ name }) => rule?.attributes[name]?.variables)
      .flatMap(({ raw, value }) => placesIn(raw, value, component));
    const inside = rule?.content === "raw" ? [] : placesOf(node.children, node.from?.id ?? component);
    return [...own, ...inside];
  });
