import { fontStack } from "../language/theme.ts";
import { decode } from "../parse/entities.ts";
import { type ElementNode, isElement } from "../parse/tree.ts";
import { collapse, trimLines } from "../parse/whitespace.ts";
import { css, MONOSPACE, px } from "./css.ts";
import { escapeHtml } from "./escape.ts";
import { boxStyle, type Frame, sidesOf, table } from "./frame.ts";
import { inlineHtml } from "./inline.ts";
import type { Piece } from "./parts.ts";
import { numberAttribute, textAttribute } from "./values.ts";

/** Font styles of a text block: its own attributes, else the theme's. */
const typeStyle = (element: ElementNode, { theme }: Frame): string => {
  const level = /^H([123])$/.exec(element.tag)?.[1] as "1" | "2" | "3" | undefined;
  const base = level === undefined ? ("textBase" as const) : (`heading${level}` as const);
  return css({
    "font-family": fontStack(theme),
    "font-size": px(numberAttribute(element, "fontSize", theme[`${base}FontSize`])),
    "line-height": `${numberAttribute(element, "lineHeight", theme[`${base}LineHeight`])}%`,
    "font-weight": level === undefined ? undefined : "700",
    "letter-spacing": px(theme[`${base}LetterSpacing`]),
    color: theme[`${base}Color`],
    "text-align": textAttribute(element, "align"),
  });
};

/** The text inside a block, as HTML. */
export const running = (element: ElementNode, { theme }: Frame): Piece => inlineHtml(collapse(element.children), theme);

/** H1 to H3 and Paragraph. */
export const text =
  (name: string) =>
  (element: ElementNode, frame: Frame): Piece => [
    `<${name} style="margin:0;${typeStyle(element, frame)}">`,
    running(element, frame),
    `</${name}>`,
  ];

export const quote = (element: ElementNode, frame: Frame): Piece => {
  const cell = css({ "border-left": `3px solid ${frame.theme.dividerColor}`, padding: "2px 0 2px 16px" });
  const cite = `<blockquote style="margin:0;font-style:italic;${typeStyle(element, frame)}">`;
  return table(' width="100%"', [`<tr><td style="${cell}">`, cite, running(element, frame), "</blockquote></td></tr>"]);
};

export const codeBlock = (element: ElementNode, { theme }: Frame): Piece => {
  const style = css({
    "font-family": MONOSPACE,
    "font-size": px(numberAttribute(element, "fontSize", 14)),
    "line-height": `${numberAttribute(element, "lineHeight", 150)}%`,
    color: theme.heading1Color,
    "white-space": "pre-wrap",
    "word-break": "break-word",
  });
  const box = css({ "background-color": "#f4f4f5", "border-radius": "8px", padding: "16px" });
  return table(' width="100%"', [
    `<tr><td bgcolor="#f4f4f5" style="${box}"><pre style="margin:0;${style}">`,
    escapeHtml(codeText(element)),
    "</pre></td></tr>",
  ]);
};

/** The literal text of a `CodeBlock`, without empty lines at its start and end. */
export const codeText = (element: ElementNode): string =>
  trimLines(element.children.map((child) => (isElement(child) ? "" : decode(child.raw))).join(""));

export const list =
  (name: "ol" | "ul") =>
  (element: ElementNode, frame: Frame): Piece => {
    const align = textAttribute(element, "align");
    const start = textAttribute(element, "start");
    const style = css({
      margin: "0 0 0 24px",
      padding: "0",
      "text-align": align,
      "list-style-position": align === undefined || align === "left" ? "" : "inside",
    });
    const items = element.children
      .filter(isElement)
      .map((item) => [
        `<li style="margin:0 0 8px;${typeStyle(item, frame)}${boxStyle(item, sidesOf(item, {}))}">`,
        running(item, frame),
        "</li>",
      ]);
    return [
      `<${name}${start === undefined ? "" : ` start="${Number.parseInt(start, 10)}"`} style="${style}">`,
      items,
      `</${name}>`,
    ];
  };
