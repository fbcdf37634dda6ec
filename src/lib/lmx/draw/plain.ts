import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import { collapse } from "../parse/whitespace.ts";
import type { Position } from "../problem.ts";
import { titleOf } from "./blocks/icons.ts";
import { codeText } from "./blocks/prose.ts";
import { MONOSPACE } from "./css.ts";
import { escapeHtml } from "./escape.ts";
import { article, head, preheader, type Shown } from "./head.ts";
import { type Drawn, flattenMail, lineToHtml, optional, type Piece } from "./parts.ts";
import {
  conditionOf,
  numberAttribute,
  pictureAddress,
  rawAttribute,
  textAttribute,
  untracked,
  urlWithSlots,
  withValueParts,
} from "./values.ts";

// The plain format has no theme, colors or boxes.

const SPACE = "margin:0 0 16px;";

const MARKS: Readonly<Record<string, string>> = {
  Strong: "strong",
  Em: "em",
  Underline: "u",
  Strike: "s",
  Code: "code",
};

const anchor = (element: ElementNode, inner: Piece): Piece => {
  const href = rawAttribute(element, "href");
  if (href === undefined) return inner;
  return ['<a href="', urlWithSlots(href, "url"), `"${untracked(element)} target="_blank">`, inner, "</a>"];
};

const inline = (nodes: readonly MarkupNode[]): Piece =>
  nodes.map((node): Piece => {
    if (!isElement(node)) return withValueParts(node.raw, "html");
    if (node.tag === "Br") return "<br>";
    const inner = inline(node.children);
    if (node.tag === "Link") return anchor(node, inner);
    const name = MARKS[node.tag];
    return name === undefined ? inner : [`<${name}>`, inner, `</${name}>`];
  });

const running = (element: ElementNode): Piece => inline(collapse(element.children));

const aligned = (element: ElementNode): string => {
  const align = textAttribute(element, "align");
  return align === undefined ? "" : `text-align:${align};`;
};

const paragraph = (element: ElementNode, inner: Piece, name = "p", style = ""): Piece => [
  `<${name} style="${SPACE}${style}${aligned(element)}">`,
  inner,
  `</${name}>\n`,
];

const image = (element: ElementNode): Piece => {
  const width = numberAttribute(element, "width", 600);
  return anchor(element, [
    ['<img src="', pictureAddress(element), '" alt="', withValueParts(rawAttribute(element, "alt") ?? "", "html")],
    `" width="${width}" style="max-width:100%;height:auto;border:0;">`,
  ]);
};

const list = (element: ElementNode): Piece => {
  const ordered = element.tag === "OrderedList";
  const start = textAttribute(element, "start");
  const name = ordered ? "ol" : "ul";
  const items = element.children.filter(isElement).map((item) => ["<li>", running(item), "</li>"]);
  const first = ordered && start !== undefined ? ` start="${Number.parseInt(start, 10)}"` : "";
  return [`<${name}${first} style="${SPACE}${aligned(element)}">`, items, `</${name}>\n`];
};

const iconLinks = (element: ElementNode): Piece =>
  element.children
    .filter(isElement)
    .map((icon, index) => [index === 0 ? "" : " &middot; ", anchor(icon, escapeHtml(titleOf(icon)))]);

const section = (element: ElementNode, use: Position | undefined): Piece => {
  const href = rawAttribute(element, "href");
  const link = href === undefined ? "" : paragraph(element, anchor(element, withValueParts(href, "html")));
  const inside = [blocks(element.children, use ?? (element.from && element)), link];
  return optional(conditionOf(element), inside);
};

const block = (element: ElementNode, use: Position | undefined): Piece => {
  switch (element.tag) {
    case "Style":
      return "";
    case "H1":
    case "H2":
    case "H3":
      return paragraph(element, running(element), element.tag.toLowerCase(), "font-size:inherit;font-weight:700;");
    case "Quote":
      return paragraph(element, running(element), "blockquote", "padding:0 16px;");
    case "CodeBlock":
      return paragraph(
        element,
        escapeHtml(codeText(element)),
        "pre",
        `font-family:${MONOSPACE};white-space:pre-wrap;word-break:break-word;`,
      );
    case "Button":
      return paragraph(element, anchor(element, running(element)));
    case "Image":
      return paragraph(element, image(element));
    case "Divider":
      return '<hr style="margin:24px 0;">\n';
    case "OrderedList":
    case "UnorderedList":
      return list(element);
    case "Icons":
      return paragraph(element, iconLinks(element));
    case "Columns":
    case "ColumnItem":
    case "Section":
    case "Component":
      return section(element, use);
    default:
      return paragraph(element, running(element));
  }
};

const blocks = (nodes: readonly MarkupNode[], use?: Position): Piece =>
  nodes.filter(isElement).map((element) => ({ at: use ?? element, draw: () => block(element, use) }));

/** Draws a checked tree in the plain format. */
export const drawPlain = (nodes: readonly MarkupNode[], shown: Shown): Drawn => {
  const title = shown.subject.length > 0 ? lineToHtml(shown.subject) : "Message";
  return flattenMail([
    head(shown.language, shown.direction, title, ""),
    '<body style="font-family:Arial, Helvetica, sans-serif;font-size:15px;line-height:150%;word-break:break-word;">\n',
    shown.preview.length > 0 ? preheader(lineToHtml(shown.preview)) : "",
    article(shown, title, blocks(nodes)),
    "\n</body>\n</html>\n",
  ]);
};
