import { lookOf } from "../draw/blocks/button.ts";
import { CODE_COLOR } from "../draw/blocks/inline.ts";
import { inDark, type Use } from "../draw/dark.ts";
import { numberAttribute, optionalColor } from "../draw/values.ts";
import type { Theme } from "../language/theme.ts";
import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";

type Shade = { light: string; dark: string };

/** A drawn text; `size` is in px. */
export type Painted = { element: ElementNode; words: string; color: Shade; back: Shade; size: number; bold: boolean };

type Paint = Omit<Painted, "element" | "words">;

type Shading = (use: Use, color: string) => Shade;

/** A cache, because dark-mode conversion is slow. */
const shading = (hasDark: boolean): Shading => {
  const known = new Map<string, Shade>();
  return (use, color) => {
    const key = `${use} ${color}`;
    const shade = known.get(key) ?? { light: color, dark: hasDark ? inDark(use, color) : color };
    known.set(key, shade);
    return shade;
  };
};

type Look = { theme: Theme; shade: Shading };

const backOf = (element: ElementNode, around: Shade, { shade }: Look): Shade => {
  const color = optionalColor(element, "blockColor");
  return color === undefined ? around : shade("back", color);
};

const inInline = (nodes: readonly MarkupNode[], element: ElementNode, paint: Paint, look: Look): Painted[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return node.raw.trim() === "" ? [] : [{ ...paint, element, words: node.raw }];
    const own = node.tag === "Link" ? look.theme.textLinkColor : optionalColor(node, "textColor");
    const inside = {
      color: own === undefined ? paint.color : look.shade("text", own),
      back: node.tag === "Code" ? look.shade("back", CODE_COLOR) : paint.back,
      size: node.tag === "Code" ? paint.size * 0.9 : paint.size,
      bold: paint.bold || node.tag === "Strong",
    };
    return inInline(node.children, node, inside, look);
  });

const inText = (element: ElementNode, around: Shade, look: Look): Painted[] => {
  const { theme, shade } = look;
  const level = /^H([123])$/.exec(element.tag)?.[1] as "1" | "2" | "3" | undefined;
  const base = level === undefined ? ("textBase" as const) : (`heading${level}` as const);
  const paint = {
    color: shade("text", theme[`${base}Color`]),
    back: backOf(element, around, look),
    size: numberAttribute(element, "fontSize", theme[`${base}FontSize`]),
    bold: level !== undefined,
  };
  return inInline(element.children, element, paint, look);
};

const inButton = (element: ElementNode, look: Look): Painted[] => {
  const { theme, shade } = look;
  const { color, textColor, size } = lookOf(element, theme);
  const back = shade("flip", color);
  // Only a button that becomes light gets a new label.
  const label = back.light === back.dark ? { light: textColor, dark: textColor } : shade("label", textColor);
  const paint = { color: label, back, size, bold: (theme.buttonTextFormat & 1) === 1 };
  return inInline(element.children, element, paint, look);
};

const inCode = (element: ElementNode, look: Look): Painted[] => {
  const { theme, shade } = look;
  const color = shade("text", theme.heading1Color);
  const paint = { color, back: shade("back", CODE_COLOR), size: numberAttribute(element, "fontSize", 14), bold: false };
  return inInline(element.children, element, paint, look);
};

const TEXTS: readonly string[] = ["H1", "H2", "H3", "Paragraph", "Quote", "ListItem"];

/** Lists texts with colors as `drawDocument` draws them, without icons. */
export const paintedTexts = (nodes: readonly MarkupNode[], theme: Theme, hasDark = true): Painted[] => {
  const look = { theme, shade: shading(hasDark) };
  const inside = (element: ElementNode, around: Shade): Painted[] => {
    if (TEXTS.includes(element.tag)) return inText(element, around, look);
    const back = backOf(element, around, look);
    if (element.tag === "Button") return inButton(element, look);
    if (element.tag === "CodeBlock") return inCode(element, look);
    return element.children.filter(isElement).flatMap((child) => inside(child, back));
  };
  const page = look.shade("back", theme.bodyColor);
  return nodes.filter(isElement).flatMap((element) => inside(element, page));
};
