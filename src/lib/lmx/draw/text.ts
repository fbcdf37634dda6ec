import { type ElementNode, isElement, type MarkupNode } from "../parse/tree.ts";
import { collapse } from "../parse/whitespace.ts";
import { titleOf } from "./blocks/icons.ts";
import { codeText } from "./blocks/prose.ts";
import { flatten, type Parts, type Piece } from "./parts.ts";

import { conditionOf, numberAttribute, rawAttribute, urlWithSlots, withValueParts } from "./values.ts";

/** No empty line separates adjacent `tight` blocks. */
type Block = { text: Parts; tight?: true };

/** Values stay unchanged. */
const literally = (parts: Parts, change: (text: string) => string): Parts =>
  parts.map((part) => (typeof part === "string" ? change(part) : part));

const trimEnds = (piece: Piece): Parts => {
  const parts = literally(flatten(piece), (text) => text.replaceAll(" \n", "\n"));
  const last = parts.at(-1);
  return typeof last === "string" ? flatten([parts.slice(0, -1), last.trimEnd()]) : parts;
};

const address = (element: ElementNode): Piece => urlWithSlots(rawAttribute(element, "href") ?? "", "address");

const worded = (parts: Parts): string =>
  JSON.stringify(parts.map((part) => (typeof part !== "string" && "variable" in part ? [part.variable] : part)));

const linked = (element: ElementNode, label: Parts): Piece => {
  const target = flatten(address(element));
  const bare = worded(literally(target, (text) => text.replace(/^(?:mailto|tel):/i, "")));
  if (target.length === 0) return label;
  const said = worded(label);
  if (label.length === 0 || said === worded(target)) return target;
  return said === bare ? label : [label, ": ", target];
};

const inline = (nodes: readonly MarkupNode[]): Piece =>
  nodes.map((node): Piece => {
    if (!isElement(node)) return withValueParts(node.raw, "text");
    if (node.tag === "Br") return "\n";
    const label = flatten(inline(node.children));
    if (node.tag !== "Link") return label;
    const last = label.at(-1);
    // The trailing space moves behind the address to separate the next word.
    return [linked(node, trimEnds(label)), typeof last === "string" && last.endsWith(" ") ? " " : ""];
  });

const running = (element: ElementNode): Parts => trimEnds(inline(collapse(element.children)));

const marked = (parts: Parts, first: string, others: string): Parts =>
  flatten([first, literally(parts, (text) => text.replaceAll("\n", `\n${others}`))]);

const list = (element: ElementNode): Piece => {
  const start = numberAttribute(element, "start", 1);
  return element.children.filter(isElement).map((item, index) => {
    const mark = element.tag === "OrderedList" ? `${Math.trunc(start) + index}. ` : "- ";
    return [index === 0 ? "" : "\n", marked(running(item), mark, " ".repeat(mark.length))];
  });
};

const LINES = ["H1", "H2", "H3", "Paragraph"];

/** Columns with one text each become one line. */
const columns = (element: ElementNode): Block => {
  const items = element.children.filter(isElement).map((item) => item.children.filter(isElement));
  const row = items.every((blocks) => blocks.length === 1 && LINES.includes(blocks[0]?.tag ?? ""));
  if (!row) return { text: flatten(joined(items.flat().flatMap(block))) };
  const cells = items.flat().map((cell, index) => [index === 0 ? "" : " | ", running(cell)]);
  return { text: flatten(cells), tight: true };
};

const image = (element: ElementNode): Piece => {
  const alt = flatten(withValueParts(rawAttribute(element, "alt") ?? "", "text"));
  return linked(element, alt);
};

const iconLinks = (element: ElementNode): Block[] =>
  element.children
    .filter((icon) => isElement(icon) && rawAttribute(icon, "href") !== undefined)
    .map((icon) => ({ text: flatten(isElement(icon) ? linked(icon, [titleOf(icon)]) : ""), tight: true }));

const block = (element: ElementNode): Block[] => {
  switch (element.tag) {
    case "Style":
      return [];
    case "Quote":
      return [{ text: marked(running(element), "> ", "> ") }];
    case "CodeBlock":
      return [{ text: [codeText(element)] }];
    case "Button":
      return [{ text: flatten(linked(element, running(element))) }];
    case "Image":
      return [{ text: flatten(image(element)) }];
    case "Divider":
      return [{ text: ["----------"] }];
    case "OrderedList":
    case "UnorderedList":
      return [{ text: flatten(list(element)) }];
    case "Columns":
      return [columns(element)];
    case "Icons":
      return iconLinks(element);
    case "Component":
    case "Section":
      return section(element);
    default:
      return [{ text: running(element) }];
  }
};

const shown = ({ text }: Block): boolean => text.length > 0 && text[0] !== "";

/** The space before a section belongs to it. */
const section = (element: ElementNode): Block[] => {
  const inside = [...element.children.filter(isElement).flatMap(block), { text: flatten(address(element)) }];
  const of = conditionOf(element);
  const all = inside.filter(shown);
  if (of.length === 0 || all.length === 0) return all;
  return [{ text: [{ section: "start", of }] }, ...all, { text: [{ section: "end", of }] }];
};

const isEdge = ({ text: [first] }: Block): boolean => typeof first === "object" && "section" in first;

const joined = (blocks: readonly Block[]): Piece => {
  let last: Block | undefined;
  return blocks.filter(shown).map((one): Piece => {
    if (isEdge(one)) return one.text;
    const space = last === undefined ? "" : one.tight && last.tight ? "\n" : "\n\n";
    last = one;
    return [space, one.text];
  });
};

/** Draws plain text, with links as "label: address". */
export const drawText = (nodes: readonly MarkupNode[]): Piece => {
  const body = flatten(joined(nodes.filter(isElement).flatMap(block)));
  return body.length === 0 ? "" : [body, "\n"];
};
