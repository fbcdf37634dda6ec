import { fontStack } from "../../language/theme.ts";
import { decode } from "../../parse/entities.ts";
import { type ElementNode, isElement } from "../../parse/tree.ts";
import { collapse, trimLines } from "../../parse/whitespace.ts";
import { css, MONOSPACE, px } from "../css.ts";
import { classes } from "../dark.ts";
import { escapeHtml } from "../escape.ts";
import { boxStyle, type Frame, sidesOf, table } from "../frame.ts";
import type { Piece } from "../parts.ts";
import { numberAttribute, optionalColor, textAttribute } from "../values.ts";
import { CODE_COLOR, inlineHtml } from "./inline.ts";

const type = (element: ElementNode, { theme }: Frame, first: string, last = ""): string => {
  const level = /^H([123])$/.exec(element.tag)?.[1] as "1" | "2" | "3" | undefined;
  const base = level === undefined ? ("textBase" as const) : (`heading${level}` as const);
  const style = css({
    "font-family": fontStack(theme),
    "font-size": px(numberAttribute(element, "fontSize", theme[`${base}FontSize`])),
    "line-height": `${numberAttribute(element, "lineHeight", theme[`${base}LineHeight`])}%`,
    "font-weight": level === undefined ? undefined : "700",
    "letter-spacing": px(theme[`${base}LetterSpacing`]),
    color: theme[`${base}Color`],
    "text-align": textAttribute(element, "align"),
  });
  const color = theme[`${base}Color`];
  const back = element.tag === "ListItem" ? optionalColor(element, "blockColor") : undefined;
  return `${classes({ text: color, back })} style="${first}${style}${last}"`;
};

export const running = (element: ElementNode, { theme }: Frame): Piece => inlineHtml(collapse(element.children), theme);

export const text =
  (name: string) =>
  (element: ElementNode, frame: Frame): Piece => [
    `<${name}${type(element, frame, "margin:0;")}>`,
    running(element, frame),
    `</${name}>`,
  ];

export const quote = (element: ElementNode, frame: Frame): Piece => {
  const color = frame.theme.dividerColor;
  const cell = css(
    frame.start === "left"
      ? { "border-left": `3px solid ${color}`, padding: "2px 0 2px 16px" }
      : { "border-right": `3px solid ${color}`, padding: "2px 16px 2px 0" },
  );
  const cite = `<blockquote${type(element, frame, "margin:0;font-style:italic;")}>`;
  return table(' width="100%"', [
    `<tr><td${classes({ line: color })} style="${cell}">${cite}`,
    running(element, frame),
    "</blockquote></td></tr>",
  ]);
};

export const codeBlock = (element: ElementNode, { theme }: Frame): Piece => {
  const color = theme.heading1Color;
  const style = css({
    margin: "0",
    "font-family": MONOSPACE,
    "font-size": px(numberAttribute(element, "fontSize", 14)),
    "line-height": `${numberAttribute(element, "lineHeight", 150)}%`,
    color,
    "white-space": "pre-wrap",
    "word-break": "break-word",
    // Code is left-aligned in every language.
    "text-align": "left",
  });
  const box = css({ "background-color": CODE_COLOR, "border-radius": "8px", padding: "16px" });
  return table(' width="100%"', [
    `<tr><td${classes({ back: CODE_COLOR })} bgcolor="${CODE_COLOR}" style="${box}">`,
    `<pre${classes({ text: color })} dir="ltr" style="${style}">`,
    escapeHtml(codeText(element)),
    "</pre></td></tr>",
  ]);
};

/** Returns code without empty first and last lines. */
export const codeText = (element: ElementNode): string =>
  trimLines(element.children.map((child) => (isElement(child) ? "" : decode(child.raw))).join(""));

export const list =
  (name: "ol" | "ul") =>
  (element: ElementNode, frame: Frame): Piece => {
    const align = textAttribute(element, "align");
    const start = textAttribute(element, "start");
    const style = css({
      margin: frame.start === "left" ? "0 0 0 24px" : "0 24px 0 0",
      padding: "0",
      "text-align": align,
      "list-style-position": align === undefined || align === frame.start ? "" : "inside",
    });
    const items = element.children.filter(isElement).map((item) => ({
      at: frame.use ?? item,
      draw: () => [
        `<li${type(item, frame, "margin:0 0 8px;", boxStyle(item, sidesOf(item, {})))}>`,
        running(item, frame),
        "</li>",
      ],
    }));
    return [
      `<${name}${start === undefined ? "" : ` start="${Number.parseInt(start, 10)}"`} style="${style}">`,
      items,
      `</${name}>`,
    ];
  };
