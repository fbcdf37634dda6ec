import type { Theme } from "../language/theme.ts";
import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import { css, MONOSPACE } from "./css.ts";
import type { Piece } from "./parts.ts";
import { optionalColor, rawAttribute, withSlots } from "./values.ts";

const CODE = css({
  "font-family": MONOSPACE,
  "font-size": "0.9em",
  "background-color": "#f4f4f5",
  "border-radius": "4px",
  padding: "2px 5px",
});

/** The HTML element of a mark, and its style without a colour. */
const MARKS: Readonly<Record<string, readonly [name: string, style: string]>> = {
  Strong: ["strong", "font-weight:700;"],
  Em: ["em", "font-style:italic;"],
  Underline: ["span", "text-decoration:underline;"],
  Strike: ["s", "text-decoration:line-through;"],
  Code: ["code", CODE],
  Text: ["span", ""],
};

/** A link around a piece; without an address, the piece alone. */
export const anchor = (href: string | undefined, style: string, inner: Piece): Piece =>
  href === undefined
    ? inner
    : ['<a href="', withSlots(href, "url"), `" target="_blank" style="${style}">`, inner, "</a>"];

const element = (node: ElementNode, theme: Theme): Piece => {
  const inner = inlineHtml(node.children, theme);
  if (node.tag === "Link") {
    const style = css({ color: theme.textLinkColor, "text-decoration": "underline" });
    return anchor(rawAttribute(node, "href"), style, inner);
  }
  const mark = MARKS[node.tag];
  if (mark === undefined) return "<br>";
  const [name, style] = mark;
  return [`<${name} style="${style}${css({ color: optionalColor(node, "textColor") })}">`, inner, `</${name}>`];
};

/** Running text as HTML. */
export const inlineHtml = (nodes: readonly MarkupNode[], theme: Theme): Piece =>
  nodes.map((node) => (isElement(node) ? element(node, theme) : withSlots(node.raw, "html")));
