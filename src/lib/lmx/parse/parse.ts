import { controlCharacters, error, excerpt, type Problem } from "../problem.ts";
import { createReader, type Reader, readTextNode, report, takeUntil } from "./reader.ts";
import { readCloseTag, readOpenTag } from "./tag.ts";
import type { MarkupNode } from "./tree.ts";

/** UTF-8 bytes. */
export const MAX_SOURCE_BYTES = 100_000;
/** The limit exists because later stages may recurse. */
const MAX_DEPTH = 32;

/** A UTF-16 unit is one to three bytes, so only middle lengths need encoding. */
const tooLarge = (source: string): boolean =>
  source.length > MAX_SOURCE_BYTES ||
  (source.length * 3 > MAX_SOURCE_BYTES && new TextEncoder().encode(source).length > MAX_SOURCE_BYTES);

/**
 * Parses markup in one pass without recursion; `check` validates nesting. Errors are reported and reading continues.
 * Never throws.
 */
export const parse = (source: string): { nodes: MarkupNode[]; problems: Problem[] } => {
  if (tooLarge(source)) {
    const message = `The document is larger than ${MAX_SOURCE_BYTES / 1000} KB: shorten it`;
    return { nodes: [], problems: [error({ line: 1, column: 1 }, "too_large", message)] };
  }
  const reader = createReader(source);
  const { nodes, problems, open } = reader;
  for (const problem of controlCharacters(source)) problems.push(problem);
  while (reader.at < source.length) {
    readNext(reader);
    if (open.length > MAX_DEPTH) {
      const message = `Tags nest deeper than ${MAX_DEPTH} levels: flatten the document`;
      report(reader, reader.at - 1, "too_deep", message);
      return { nodes, problems };
    }
  }
  for (const element of open) {
    const name = excerpt(element.tag);
    problems.push(error(element, "unclosed_tag", `<${name}> is never closed: add </${name}>`));
  }
  return { nodes, problems };
};

const readNext = (reader: Reader): void => {
  const { source, at } = reader;
  const next = source[at + 1] ?? "";
  if (source[at] !== "<") readTextNode(reader, "<", false);
  else if (source.startsWith("<!--", at)) readComment(reader);
  else if (next === "/") readCloseTag(reader);
  else if (/[A-Za-z]/.test(next)) readOpenTag(reader);
  else if (next === "!" || next === "?") {
    const message = "Declarations, CDATA and <? ?> are not part of the markup: remove them";
    report(reader, at, "unsupported_syntax", message);
    takeUntil(reader, ">");
    reader.at += 1;
  } else {
    report(reader, at, "stray_bracket", "This < starts no tag: write &lt; for the sign itself");
    reader.at += 1;
  }
};

const readComment = (reader: Reader): void => {
  const start = reader.at;
  reader.at += 4;
  takeUntil(reader, "-->");
  if (reader.at === reader.source.length) {
    report(reader, start, "unfinished_comment", "This comment has no end: add -->");
  } else reader.at += 3;
};
