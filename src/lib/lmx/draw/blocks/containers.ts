import { parseWidths } from "../../language/rule.ts";
import { type ElementNode, isElement, type MarkupNode } from "../../parse/tree.ts";
import { css } from "../css.ts";
import { cellAttributes, type Frame, sidesOf, table } from "../frame.ts";
import type { Piece } from "../parts.ts";
import { numberAttribute, optionalColor, textAttribute } from "../values.ts";
import { anchor } from "./inline.ts";

/** A parameter, because containers may be nested. */
type DrawRows = (nodes: readonly MarkupNode[], frame: Frame) => Piece;

/** Draws columns with classes for small screens. */
export const columns = (element: ElementNode, frame: Frame, drawRows: DrawRows): Piece => {
  const items = element.children.filter(isElement);
  const gap = numberAttribute(element, "gap", 24);
  const room = frame.width - gap * (items.length - 1);
  const given = textAttribute(element, "widths");
  const widths = given === undefined ? items.map(() => 100 / items.length) : parseWidths(given);
  const stacks = textAttribute(element, "stackOnMobile") !== "false";
  const reverses = stacks && textAttribute(element, "reverseOnMobile") === "true";
  const name = (kind: string): string => (stacks ? ` class="${kind}"` : "");
  const cells = items.map((item, index): Piece => {
    const width = Math.max(1, Math.round((room * (widths[index] ?? 0)) / 100));
    const style = css({ width: `${Math.round((width * 1000) / frame.width) / 10}%` });
    const align = textAttribute(element, "verticalAlignment") ?? "top";
    return [
      index === 0
        ? ""
        : `<td${name("gap")} width="${gap}" style="width:${gap}px;font-size:0;line-height:0;">&nbsp;</td>`,
      `<td${name("column")} width="${width}" valign="${align}" style="${style}vertical-align:${align};">`,
      table(' width="100%"', drawRows(item.children, { ...frame, width })),
      "</td>",
    ];
  });
  return table(' width="100%"', [`<tr${reverses ? ' class="reverse"' : ""}>`, cells, "</tr>"]);
};

/** Draws a `Section` or `Component`. A colored box has default padding. */
export const box = (element: ElementNode, frame: Frame, drawRows: DrawRows): Piece => {
  const room = optionalColor(element, "blockColor") === undefined ? 0 : 24;
  const sides = sidesOf(element, { top: room, right: room, bottom: room, left: room });
  const width = Math.max(1, frame.width - sides.left - sides.right);
  const inside = { ...frame, width, use: frame.use ?? (element.from && element) };
  const cell = table(' width="100%" style="border-collapse:separate;"', [
    `<tr><td${cellAttributes(element, sides)}>`,
    table(' width="100%"', drawRows(element.children, inside)),
    "</td></tr>",
  ]);
  return anchor(element, ' style="display:block;color:inherit;text-decoration:none;"', cell);
};
