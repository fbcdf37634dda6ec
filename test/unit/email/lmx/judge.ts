import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements that have no closing tag: HTML, section 13.1.2. */
const VOID = ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

const isElement = (node: Node): node is Element => "tagName" in node;

export const elementsOf = (html: string): Element[] => {
  const all = (nodes: readonly Node[]): Element[] =>
    nodes.filter(isElement).flatMap((node) => [node, ...all(node.childNodes)]);
  return all(parse(html, { sourceCodeLocationInfo: true }).childNodes);
};

/** The text that a reader sees, and the titles. */
export const textOf = (html: string): string => {
  const all = (nodes: readonly Node[]): string =>
    nodes.map((node) => ("value" in node ? node.value : isElement(node) ? all(node.childNodes) : "")).join("");
  return all(parse(html).childNodes);
};

/** What an independent HTML parser had to repair: syntax errors, and elements that it opened or closed by itself. */
export const repairsOf = (html: string): string[] => {
  const repairs: string[] = [];
  parse(html, {
    onParseError: ({ code, startLine, startCol }) => repairs.push(`${code} at ${startLine}:${startCol}`),
    sourceCodeLocationInfo: true,
  });
  const elements = elementsOf(html);
  // The parser says nothing of tags that it drops.
  const tags = html.replaceAll(/<!--[\s\S]*?-->|(?<=<noscript>)[\s\S]*?(?=<\/noscript>)/g, "");
  const [starts, ends] = [tags.match(/<[a-z]/gi)?.length ?? 0, tags.match(/<\/[a-z]/gi)?.length ?? 0];
  if (starts !== elements.length) repairs.push(`${starts} start tags make ${elements.length} elements`);
  const closed = elements.filter(({ sourceCodeLocation }) => sourceCodeLocation?.endTag).length;
  if (ends !== closed) repairs.push(`${ends} end tags close ${closed} elements`);
  for (const { tagName, sourceCodeLocation: place } of elements) {
    if (!place?.startTag && !(place && VOID.includes(tagName))) repairs.push(`<${tagName}> was added`);
    else if (!VOID.includes(tagName) && !place?.endTag) repairs.push(`</${tagName}> was added`);
  }
  return repairs;
};

/** A document as Outlook on Windows reads it: with what stands in its conditional comments. */
export const inOutlook = (html: string): string =>
  html
    .replaceAll(/<!--\[if !mso\]><!-->[\s\S]*?<!--<!\[endif\]-->/g, "")
    .replaceAll(/<!--\[if mso\]>([\s\S]*?)<!\[endif\]-->/g, "$1");
