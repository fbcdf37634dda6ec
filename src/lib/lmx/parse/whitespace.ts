import { isElement, type MarkupNode } from "./tree.ts";

/** Collapses white space; the caller trims the end. */
export const collapse = (nodes: readonly MarkupNode[]): MarkupNode[] => {
  let spaced = true;
  const visit = (node: MarkupNode): MarkupNode => {
    if (isElement(node)) {
      if (node.tag === "Br") spaced = true;
      return { ...node, children: node.children.map(visit) };
    }
    const single = node.raw.replace(/[ \t\r\n]+/g, " ");
    const raw = spaced && single.startsWith(" ") ? single.slice(1) : single;
    if (raw !== "") spaced = raw.endsWith(" ");
    return { ...node, raw };
  };
  return nodes.map(visit);
};

/** The first line keeps its indent. */
export const trimLines = (text: string): string => {
  const lines = text.trimEnd().split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  return lines.slice(Math.max(first, 0)).join("\n");
};
