import type { ElementNode } from "../../parse/tree.ts";
import { css, px } from "../css.ts";
import { classes } from "../dark.ts";
import { type Frame, table } from "../frame.ts";
import type { Piece } from "../parts.ts";
import {
  numberAttribute,
  optionalColor,
  pictureAddress,
  rawAttribute,
  textAttribute,
  withValueParts,
} from "../values.ts";
import { anchor } from "./inline.ts";

const IMAGE_MARGIN: Readonly<Record<string, string>> = { center: "0 auto", right: "0 0 0 auto" };

export const image = (element: ElementNode, { theme, width }: Frame): Piece => {
  const pixels = Math.min(numberAttribute(element, "width", width), width);
  const border = numberAttribute(element, "borderWidth", 0);
  const color = border > 0 ? (optionalColor(element, "borderColor") ?? theme.borderColor) : undefined;
  const style = css({
    display: "block",
    width: "100%",
    "max-width": px(pixels),
    height: "auto",
    margin: IMAGE_MARGIN[textAttribute(element, "align") ?? ""],
    border: color === undefined ? "0" : `${border}px solid ${color}`,
    "box-sizing": "border-box",
    "border-radius": px(numberAttribute(element, "borderRadius", 0)),
  });
  return anchor(element, ' style="text-decoration:none;"', [
    ['<img src="', pictureAddress(element), '" alt="', withValueParts(rawAttribute(element, "alt") ?? "", "html")],
    `" width="${pixels}"${classes({ line: color })} style="${style}">`,
  ]);
};

export const divider = (element: ElementNode, { theme }: Frame): Piece => {
  const color = optionalColor(element, "color") ?? theme.dividerColor;
  const style = css({
    "border-top": `${numberAttribute(element, "borderWidth", theme.dividerBorderWidth)}px solid ${color}`,
    "font-size": "0",
    "line-height": "0",
  });
  const cell = `<tr><td${classes({ line: color })} style="${style}">&nbsp;</td></tr>`;
  return table(` width="${numberAttribute(element, "width", 100)}%"`, cell);
};
