import { type ElementNode, isElement, type MarkupNode } from "../../parse/tree.ts";
import { cellAttributes, type Frame, type Sides, sidesOf } from "../frame.ts";
import { optional, type Piece } from "../parts.ts";
import { conditionOf, textAttribute } from "../values.ts";
import { button } from "./button.ts";
import { box, columns } from "./containers.ts";
import { divider, image } from "./figures.ts";
import { iconRow } from "./icons.ts";
import { codeBlock, list, quote, text } from "./prose.ts";

type Block = {
  draw: (element: ElementNode, frame: Frame) => Piece;
  /** Pixels. */
  top: number;
  bottom: number;
  /** The surrounding cell has no color or side padding. */
  boxed?: true;
};

const BLOCKS: Readonly<Record<string, Block>> = {
  H1: { draw: text("h1"), top: 0, bottom: 16 },
  H2: { draw: text("h2"), top: 12, bottom: 12 },
  H3: { draw: text("h3"), top: 8, bottom: 8 },
  Paragraph: { draw: text("p"), top: 0, bottom: 16 },
  Quote: { draw: quote, top: 4, bottom: 20 },
  CodeBlock: { draw: codeBlock, top: 4, bottom: 20 },
  Button: { draw: button, top: 8, bottom: 24 },
  Image: { draw: image, top: 0, bottom: 20 },
  Divider: { draw: divider, top: 8, bottom: 24 },
  OrderedList: { draw: list("ol"), top: 0, bottom: 8 },
  UnorderedList: { draw: list("ul"), top: 0, bottom: 8 },
  Columns: { draw: (element, frame) => columns(element, frame, drawRows), top: 0, bottom: 16 },
  Icons: { draw: iconRow, top: 8, bottom: 16 },
  Section: { draw: (element, frame) => box(element, frame, drawRows), top: 4, bottom: 20, boxed: true },
  Component: { draw: (element, frame) => box(element, frame, drawRows), top: 0, bottom: 16, boxed: true },
};

const drawRow = (element: ElementNode, frame: Frame, space: Partial<Sides>, block: Block): Piece => {
  const align = textAttribute(element, "align");
  const alignment = align === undefined ? "" : ` align="${align}"`;
  if (block.boxed) {
    const style = `padding:${space.top ?? 0}px 0 ${space.bottom ?? 0}px;`;
    return optional(conditionOf(element), [`<tr><td style="${style}">`, block.draw(element, frame), "</td></tr>"]);
  }
  const sides = sidesOf(element, space);
  const width = Math.max(1, frame.width - sides.left - sides.right);
  return [
    `<tr><td${alignment}${cellAttributes(element, sides)}>`,
    block.draw(element, { ...frame, width }),
    "</td></tr>",
  ];
};

/** Draws blocks as table rows, which all clients support. Outer spacing comes from the container. */
export const drawRows = (nodes: readonly MarkupNode[], frame: Frame): Piece => {
  const drawn = nodes.filter(isElement).flatMap((element) => {
    const block = BLOCKS[element.tag];
    return block === undefined ? [] : [{ element, block }];
  });
  return drawn.map(({ element, block }, index) => {
    const space = { top: index === 0 ? 0 : block.top, bottom: index === drawn.length - 1 ? 0 : block.bottom };
    return { at: frame.use ?? element, draw: () => drawRow(element, frame, space, block) };
  });
};
