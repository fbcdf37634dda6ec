import { contrast } from "../draw/color.ts";
import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import type { Facts } from "./facts.ts";
import type { Node } from "./nodes.ts";
import { type Painted, paintedTexts } from "./painted.ts";
import { type Item, itemAt, type Rule } from "./rule.ts";

/** WCAG 2, 1.4.3: 18 pt, or bold 14 pt, is large. */
const isLarge = ({ size, bold }: Painted): boolean => size >= 24 || (bold && size >= 18.66);

const modesOf = ({ color, back }: Painted): readonly ("light" | "dark")[] =>
  color.light !== color.dark || back.light !== back.dark ? ["light", "dark"] : ["light"];

const faint = ({ message, html, literal, nodes, theme }: Facts): Item[] => {
  if (html === undefined || message.emailFormat === "plain") return [];
  let locations: Map<MarkupNode, Node["location"]> | undefined;
  const locationOf = (element: ElementNode) => {
    locations ??= new Map(nodes.map(({ node, location }) => [node, location]));
    return locations.get(element)?.(element);
  };
  const top = nodes.filter(({ parents }) => parents.length === 0).map(({ node }) => node);
  const seen = new Set<string>();
  const hasDark = literal.includes('<meta name="color-scheme" content="light dark">');
  return paintedTexts(top, theme, hasDark).flatMap((text) =>
    modesOf(text).flatMap((mode) => {
      const [color, back, least] = [text.color[mode], text.back[mode], isLarge(text) ? 3 : 4.5];
      const key = `${color} ${back} ${least} ${mode}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const ratio = contrast(color, back);
      const location = ratio >= least ? undefined : locationOf(text.element);
      if (location === undefined) return [];
      const where = mode === "dark" ? " in dark mode" : "";
      const said = `The contrast${where} is ${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;
      const own = mode === "dark" ? ` (from ${text.color.light} on ${text.back.light})` : "";
      const fix = `${said}, and ${least}:1 is readable: change one of the colors${own}`;
      return [itemAt(location, `${color} on ${back}`, fix)];
    }),
  );
};

const hasAlt = (attributes: readonly { name: string }[]): boolean => attributes.some(({ name }) => name === "alt");

const withoutAlt = ({ nodes }: Facts): Item[] =>
  nodes.flatMap(({ node, location }) => {
    if (!isElement(node) || node.tag !== "Image" || hasAlt(node.attributes)) return [];
    const label = node.attributes.find(({ name }) => name === "src")?.raw ?? "<Image>";
    return [itemAt(location(node), label, 'Describe the picture in alt, or write alt="" if it is decoration')];
  });

export const readingRules: readonly Rule[] = [
  {
    rule: "mailspan.lowContrast",
    severity: "warning",
    title: "Text with little contrast",
    description: "WCAG AA asks for 4.5:1, and for 3:1 in large text. Dark mode is the one that the mail brings along.",
    find: faint,
  },
  {
    rule: "mailspan.missingAlt",
    severity: "warning",
    title: "Pictures without a description",
    description: "Screen readers read it, and mail clients show it while pictures are blocked.",
    covers: ["missing_alt"],
    find: withoutAlt,
  },
];
