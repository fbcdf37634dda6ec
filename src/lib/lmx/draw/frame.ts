import type { Theme } from "../language/theme.ts";
import type { ElementNode } from "../parse/tree.ts";
import type { Position } from "../problem.ts";
import { css, px } from "./css.ts";
import { classes } from "./dark.ts";
import type { Piece } from "./parts.ts";
import { numberAttribute, optionalColor } from "./values.ts";

/** Drawing context, with width in px and the side of line starts. `use` is the component's place in the document. */
export type Frame = { theme: Theme; width: number; start: "left" | "right"; use?: Position | undefined };

/** Builds a layout table that screen readers ignore. */
export const table = (attributes: string, rows: Piece): Piece => [
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes}><tbody>`,
  rows,
  "</tbody></table>",
];

/** Padding in px. */
export type Sides = { top: number; right: number; bottom: number; left: number };

export const sidesOf = (element: ElementNode, otherwise: Partial<Sides>): Sides => ({
  top: numberAttribute(element, "paddingTop", otherwise.top ?? 0),
  right: numberAttribute(element, "paddingRight", otherwise.right ?? 0),
  bottom: numberAttribute(element, "paddingBottom", otherwise.bottom ?? 0),
  left: numberAttribute(element, "paddingLeft", otherwise.left ?? 0),
});

export const boxStyle = (element: ElementNode, { top, right, bottom, left }: Sides): string =>
  css({
    padding: [top, right, bottom, left].map((side) => px(side) ?? "0").join(" "),
    "background-color": optionalColor(element, "blockColor"),
    "border-radius": px(numberAttribute(element, "blockBorderRadius", 0)),
  });

/** Builds cell attributes. `bgcolor` is for clients without CSS. */
export const cellAttributes = (element: ElementNode, sides: Sides): string => {
  const color = optionalColor(element, "blockColor");
  const background = color === undefined ? "" : ` bgcolor="${color}"`;
  return `${classes({ back: color })}${background} style="${boxStyle(element, sides)}"`;
};
