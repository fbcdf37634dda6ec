import { iconTitle } from "../../language/icons.ts";
import { type ElementNode, isElement } from "../../parse/tree.ts";
import { css, px } from "../css.ts";
import { classes } from "../dark.ts";
import { escapeHtml } from "../escape.ts";
import type { Frame } from "../frame.ts";
import type { Piece } from "../parts.ts";
import { numberAttribute, textAttribute } from "../values.ts";
import { anchor } from "./inline.ts";

export const titleOf = (icon: ElementNode): string => iconTitle(textAttribute(icon, "name") ?? "");

/** Visible on light and dark backgrounds, even in clients that cannot replace images. */
const GRAY = "#808080";

/**
 * Draws wrapping icons as images (`/icons/<name>-<color>.png`) or words: mail clients load no SVG or fonts. Outlook
 * needs blanks as gaps.
 */
export const iconRow = (element: ElementNode, { theme, start }: Frame): Piece => {
  const size = numberAttribute(element, "size", 24);
  const gap = numberAttribute(element, "gap", 12);
  const color = textAttribute(element, "color") ?? GRAY;
  const all = element.children.filter(isElement);
  const blanks = `<!--[if mso]>${"&nbsp;".repeat(Math.max(1, Math.round(gap / 4)))}<![endif]-->`;
  return all.map((icon, index): Piece => {
    const title = escapeHtml(titleOf(icon));
    const last = index === all.length - 1;
    const image = css({ display: "block", width: px(size), height: px(size), border: "0" });
    const file = `${textAttribute(icon, "name")}-${color.slice(1).toLowerCase()}.png`;
    const drawn = {
      before: '<img src="',
      after: `/icons/${file}" alt="${title}" width="${size}" height="${size}"${classes({ icon: color })} style="${image}">`,
      otherwise: title,
    };
    const text = theme.textBaseColor;
    const words = css({ "font-size": px(theme.textBaseFontSize), "line-height": "150%", color: text });
    const box = css({
      display: "inline-block",
      "vertical-align": "top",
      [start === "left" ? "padding-right" : "padding-left"]: last ? "" : px(gap),
      "padding-bottom": px(8),
    });
    const link = `${classes({ text })} style="${words}text-decoration:none;"`;
    return [
      index === 0 ? "" : blanks,
      `<span${classes({ text })} style="${box}${words}">`,
      anchor(icon, link, drawn),
      "</span>",
    ];
  });
};
