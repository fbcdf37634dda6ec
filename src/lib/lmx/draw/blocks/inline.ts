import type { Theme } from "../../language/theme.ts";
import { type ElementNode, isElement, type MarkupNode } from "../../parse/tree.ts";
import { css, MONOSPACE } from "../css.ts";
import { classes } from "../dark.ts";
import type { Piece } from "../parts.ts";
import { optionalColor, rawAttribute, untracked, urlWithSlots, withValueParts } from "../values.ts";

export const CODE_COLOR = "#f4f4f5";

const CODE = css({
  "font-family": MONOSPACE,
  "font-size": "0.9em",
  "background-color": CODE_COLOR,
  "border-radius": "4px",
  padding: "2px 5px",
});

const MARKS: Readonly<Record<string, readonly [name: string, style: string]>> = {
  Strong: ["strong", "font-weight:700;"],
  Em: ["em", "font-style:italic;"],
  Underline: ["span", "text-decoration:underline;"],
  Strike: ["s", "text-decoration:line-through;"],
  Code: ["code", CODE],
  Text: ["span", ""],
};

export const anchor = (element: ElementNode, attributes: string, inner: Piece): Piece => {
  const href = rawAttribute(element, "href");
  if (href === undefined) return inner;
  return [
    '<a href="',
    urlWithSlots(href, "url"),
    `"${untracked(element)} target="_blank"${attributes}>`,
    inner,
    "</a>",
  ];
};

const element = (node: ElementNode, theme: Theme): Piece => {
  const inner = inlineHtml(node.children, theme);
  if (node.tag === "Link") {
    const color = theme.textLinkColor;
    const style = css({ color, "text-decoration": "underline" });
    return anchor(node, `${classes({ text: color })} style="${style}"`, inner);
  }
  const mark = MARKS[node.tag];
  if (mark === undefined) return "<br>";
  const [name, own] = mark;
  const color = optionalColor(node, "textColor");
  const style = `${own}${css({ color })}`;
  const named = classes({ text: color, back: node.tag === "Code" ? CODE_COLOR : undefined });
  return [`<${name}${named}${style === "" ? "" : ` style="${style}"`}>`, inner, `</${name}>`];
};

export const inlineHtml = (nodes: readonly MarkupNode[], theme: Theme): Piece =>
  nodes.map((node) => (isElement(node) ? element(node, theme) : withValueParts(node.raw, "html")));
