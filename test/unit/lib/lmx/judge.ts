import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements without a closing tag: HTML, section 13.1.2. */
const VOID = ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

const isElement = (node: Node): node is Element => "tagName" in node;

type Judged = {
  elements: Element[];
  text: string;
  repairs: string[];
};

const repairsIn = (html: string, elements: readonly Element[]): string[] => {
  const repairs: string[] = [];
  // The parser does not report dropped tags.
  const tags = html.replaceAll(/<!--[\s\S]*?-->|(?<=<noscript>)[\s\S]*?(?=<\/noscript>)/g, "");
  const [starts, ends] = [tags.match(/<[a-z]/gi)?.length ?? 0, tags.match(/<\/[a-z]/gi)?.length ?? 0];
  if (starts !== elements.length) repairs.push(`${starts} start tags make ${elements.length} elements`);
  const closed = elements.filter(({ sourceCodeLocation }) => sourceCodeLocation?.endTag).length;
  if (ends !== closed) repairs.push(`${ends} end tags close ${closed} elements`);
  for (const { tagName, sourceCodeLocation: position } of elements) {
    if (!position?.startTag && !(position && VOID.includes(tagName))) repairs.push(`<${tagName}> was added`);
    else if (!VOID.includes(tagName) && !position?.endTag) repairs.push(`</${tagName}> was added`);
  }
  return repairs;
};

export const judge = (html: string): Judged => {
  const errors: string[] = [];
  const tree = parse(html, {
    onParseError: ({ code, startLine, startCol }) => errors.push(`${code} at ${startLine}:${startCol}`),
    sourceCodeLocationInfo: true,
  });
  const elements: Element[] = [];
  let text = "";
  const visit = (node: Node): void => {
    if ("value" in node) text += node.value;
    if (!isElement(node)) return;
    elements.push(node);
    for (const child of node.childNodes) visit(child);
  };
  for (const node of tree.childNodes) visit(node);
  return { elements, text, repairs: [...errors, ...repairsIn(html, elements)] };
};

/** A document for Outlook on Windows: with the content of its conditional comments. */
export const inOutlook = (html: string): string =>
  html
    .replaceAll(/<!--\[if !mso\]><!-->[\s\S]*?<!--<!\[endif\]-->/g, "")
    .replaceAll(/<!--\[if mso\]>([\s\S]*?)<!\[endif\]-->/g, "$1");
