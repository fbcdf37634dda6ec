import type { AttributeRule, Content, TagRule } from "./rule.ts";
import { themeAttributes } from "./theme.ts";

const color: AttributeRule = { is: "color" };
const boolean: AttributeRule = { is: "choice", of: ["true", "false"] };
const align: AttributeRule = { is: "choice", of: ["left", "center", "right"] };
const link: AttributeRule = { is: "link", variables: true };
const showIf: AttributeRule = { is: "condition", variables: true };
const px = (min: number, max: number): AttributeRule => ({ is: "number", min, max, unit: "px" });
const percent = (min: number, max: number): AttributeRule => ({ is: "number", min, max, unit: "%" });

const block = {
  blockColor: color,
  blockBorderRadius: px(0, 999),
  paddingTop: px(0, 999),
  paddingRight: px(0, 999),
  paddingBottom: px(0, 999),
  paddingLeft: px(0, 999),
};
const type = { fontSize: px(12, 64), lineHeight: percent(100, 300), ...block };
const border = { borderRadius: px(0, 999), borderWidth: px(0, 16), borderColor: color };

const BLOCKS = [
  "H1",
  "H2",
  "H3",
  "Paragraph",
  "Quote",
  "CodeBlock",
  "Button",
  "Image",
  "Divider",
  "OrderedList",
  "UnorderedList",
  "Columns",
  "Component",
  "Icons",
  "Section",
];
const without = (...left: string[]): string[] => BLOCKS.filter((tag) => !left.includes(tag));

export const topLevel: readonly string[] = [...BLOCKS, "Style"];

const inlineTags: readonly string[] = ["Strong", "Em", "Underline", "Strike", "Code", "Text", "Link", "Br"];

const text: TagRule = { content: "inline", attributes: { align, ...type } };
const mark: TagRule = { content: "inline", attributes: { textColor: color } };

/** All tags; other names are errors. */
export const tags: ReadonlyMap<string, TagRule> = new Map<string, TagRule>([
  ["H1", text],
  ["H2", text],
  ["H3", text],
  ["Paragraph", text],
  ["Quote", text],
  ["CodeBlock", { content: "raw", attributes: type }],
  [
    "Button",
    {
      content: "text",
      attributes: {
        href: link,
        bgColor: color,
        textColor: color,
        ...border,
        innerXPadding: px(0, 100),
        innerYPadding: px(0, 100),
        fontSize: px(6, 64),
        align,
        notrack: boolean,
        ...block,
      },
    },
  ],
  [
    "Image",
    {
      content: "empty",
      attributes: {
        src: { is: "image", required: true },
        alt: { is: "text", variables: true },
        href: link,
        width: px(12, 600),
        align,
        ...border,
        dynamicSrc: { is: "image", variables: true },
        notrack: boolean,
        ...block,
      },
    },
  ],
  [
    "Divider",
    { content: "empty", attributes: { align, width: percent(10, 100), borderWidth: px(1, 16), color, ...block } },
  ],
  [
    "OrderedList",
    {
      content: ["ListItem"],
      children: { min: 1, max: Number.POSITIVE_INFINITY },
      attributes: { start: { is: "number", min: 0, max: 99_999, unit: "", whole: true }, align },
    },
  ],
  [
    "UnorderedList",
    { content: ["ListItem"], children: { min: 1, max: Number.POSITIVE_INFINITY }, attributes: { align } },
  ],
  ["ListItem", { content: "inline", attributes: type }],
  [
    "Columns",
    {
      content: ["ColumnItem"],
      children: { min: 1, max: 4 },
      attributes: {
        gap: px(12, 150),
        widths: { is: "widths" },
        verticalAlignment: { is: "choice", of: ["top", "middle", "bottom"] },
        stackOnMobile: boolean,
        reverseOnMobile: boolean,
        ...block,
      },
    },
  ],
  ["ColumnItem", { content: without("Columns"), attributes: {} }],
  ["Section", { content: without("Section"), attributes: { href: link, notrack: boolean, showIf, ...block } }],
  ["Style", { content: "empty", attributes: { themeId: { is: "text" }, ...themeAttributes } }],
  [
    "Component",
    { content: without("Component"), attributes: { componentId: { is: "text", required: true }, ...block } },
  ],
  [
    "Icons",
    {
      content: ["Icon"],
      children: { min: 1, max: 100 },
      attributes: {
        align,
        gap: px(4, 200),
        size: px(18, 48),
        color: { is: "choice", of: ["#000000", "#808080", "#ffffff"] },
        ...block,
      },
    },
  ],
  [
    "Icon",
    {
      content: "empty",
      attributes: { name: { is: "icon", required: true }, href: { is: "link" }, notrack: boolean },
    },
  ],
  ["Strong", mark],
  ["Em", mark],
  ["Underline", mark],
  ["Strike", mark],
  ["Code", mark],
  ["Text", mark],
  ["Link", { content: "inline", attributes: { href: { ...link, required: true }, notrack: boolean } }],
  ["Br", { content: "empty", attributes: {} }],
]);

export const childrenOf = (content: Content): readonly string[] =>
  content === "inline" ? inlineTags : typeof content === "string" ? [] : content;

/** HTML names with their LMX tags. */
export const htmlNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    p: "Paragraph",
    b: "Strong",
    i: "Em",
    s: "Strike",
    u: "Underline",
    a: "Link",
    hr: "Divider",
    br: "Br",
    img: "Image",
    ul: "UnorderedList",
    ol: "OrderedList",
    li: "ListItem",
    pre: "CodeBlock",
    span: "Text",
    blockquote: "Quote",
    div: "Section",
    table: "Columns",
    td: "ColumnItem",
    del: "Strike",
    h4: "H3",
  }),
);
