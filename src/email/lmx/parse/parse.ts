import { tags } from "../language/tags.ts";
import { clip, error, locator, type Position, type Problem } from "../problem.ts";
import { entityProblems } from "./entities.ts";

/** The largest document, in UTF-8 bytes. */
const MAX_SOURCE_BYTES = 100 * 1024;
/** How deep tags may nest: everything after the parser may recurse. */
const MAX_DEPTH = 32;

/** `raw` is the value as written, entities included; `line` and `column` are the name's. */
export type Attribute = Position & { name: string; raw: string; value: Position };
export type ElementNode = Position & { tag: string; attributes: Attribute[]; children: MarkupNode[] };
/** `raw` is the text as written, entities included. */
export type TextNode = Position & { raw: string };
export type MarkupNode = ElementNode | TextNode;
type Parsed = { nodes: MarkupNode[]; problems: Problem[] };

export const isElement = (node: MarkupNode): node is ElementNode => "tag" in node;

/** Each UTF-16 unit is one to three bytes, so only sources of a middling length need encoding to be measured. */
const tooLarge = (source: string): boolean =>
  source.length > MAX_SOURCE_BYTES ||
  (source.length * 3 > MAX_SOURCE_BYTES && new TextEncoder().encode(source).length > MAX_SOURCE_BYTES);

/**
 * Reads markup into a tree. Knows nothing of which tag may stand where: that is `check`.
 *
 * Never throws; what cannot be read is a problem with its place, and reading goes on behind it. One pass: each
 * character is consumed once, and nothing here recurses. Codes: `too_large`, `too_deep`, `stray_bracket`,
 * `unfinished_comment`, `unsupported_syntax`, `bad_close_tag`, `stray_close_tag`, `mismatched_tag`, `unclosed_tag`,
 * `unfinished_tag`, `not_self_closed`, `bad_attribute`, `unquoted_attribute`, `unclosed_attribute`,
 * `missing_value`, `duplicate_attribute`, `unknown_entity`, `bare_ampersand` (a warning).
 */
export const parse = (source: string): Parsed => {
  const nodes: MarkupNode[] = [];
  const problems: Problem[] = [];
  if (tooLarge(source)) {
    const message = `The document is larger than ${MAX_SOURCE_BYTES / 1024} KB: shorten it`;
    return { nodes, problems: [error({ line: 1, column: 1 }, "too_large", message)] };
  }
  const place = locator(source);
  const open: ElementNode[] = [];
  let at = 0;

  const report = (offset: number, code: string, message: string) => {
    problems.push(error(place(offset), code, message));
  };
  const reportEntities = (raw: string, start: Position) => {
    for (const problem of entityProblems(raw, start)) problems.push(problem);
  };
  const add = (node: MarkupNode) => {
    (open.at(-1)?.children ?? nodes).push(node);
  };
  /** Consumes what the sticky pattern matches here: an empty string when nothing. */
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(source)?.[0] ?? "";
    at += taken.length;
    return taken;
  };
  const until = (mark: string): string => {
    const end = source.indexOf(mark, at);
    const text = source.slice(at, end === -1 ? source.length : end);
    at += text.length;
    return text;
  };
  const text = (raw: string, literal: boolean) => {
    const start = place(at - raw.length);
    if (raw === "") return;
    if (!literal) reportEntities(raw, start);
    add({ raw, ...start });
  };

  const attribute = (element: ElementNode, seen: Set<string>) => {
    const start = at;
    const name = take(/[^\s"'<>/=]+/y);
    if (name === "") {
      const junk = take(/(?:[^\s<>/]|\/(?!>))+/y);
      return report(start, "bad_attribute", `${clip(junk)} is not an attribute: write name="value"`);
    }
    take(/\s+/y);
    if (source[at] !== "=") {
      return report(start, "missing_value", `The attribute ${clip(name)} has no value: write ${clip(name)}="…"`);
    }
    at += 1;
    take(/\s+/y);
    const quote = source[at] ?? "";
    if (quote !== '"' && quote !== "'") {
      const value = take(/(?:[^\s<>"'/]|\/(?!>))+/y);
      const fix = `write ${clip(name)}="${clip(value)}"`;
      return report(start, "unquoted_attribute", `The value of ${clip(name)} needs quotes: ${fix}`);
    }
    at += 1;
    const value = place(at);
    const raw = take(quote === '"' ? /[^"<]*/y : /[^'<]*/y);
    if (source[at] !== quote) {
      const fix = "add the quote (a < inside it is &lt;)";
      return report(start, "unclosed_attribute", `The value of ${clip(name)} has no closing quote: ${fix}`);
    }
    at += 1;
    reportEntities(raw, value);
    if (seen.has(name)) {
      return report(start, "duplicate_attribute", `The attribute ${clip(name)} is given twice: keep one`);
    }
    seen.add(name);
    element.attributes.push({ name, raw, value, ...place(start) });
  };

  const openTag = () => {
    const start = at;
    at += 1;
    const element: ElementNode = { tag: take(/[A-Za-z][\w.:-]*/y), attributes: [], children: [], ...place(start) };
    const name = clip(element.tag);
    const seen = new Set<string>();
    const before = problems.length;
    for (take(/\s+/y); at < source.length && !/^(?:[<>]|\/>)/.test(source.slice(at, at + 2)); take(/\s+/y)) {
      attribute(element, seen);
    }
    add(element);
    if (source[at] === "/") {
      at += 2;
      return;
    }
    // An attribute that could not be read usually took the end of its tag along: one mistake, one message.
    const readable = !problems.slice(before).some(({ severity }) => severity === "error");
    if (source[at] === ">") at += 1;
    else if (readable) report(start, "unfinished_tag", `The tag <${name} has no end: add >`);
    const content = tags.get(element.tag)?.content;
    if (content === "empty" && !source.startsWith(`</${element.tag}`, at)) {
      if (readable) report(start, "not_self_closed", `<${name}> holds nothing: write <${name}/>`);
      return;
    }
    open.push(element);
    if (content === "raw") text(until(`</${element.tag}`), true);
  };

  const closeTag = () => {
    const start = at;
    at += 2;
    const tag = take(/[A-Za-z][\w.:-]*/y);
    take(/\s+/y);
    const name = clip(tag);
    if (tag === "" || source[at] !== ">") {
      return report(
        start,
        "bad_close_tag",
        `</${name} is not a closing tag: write </Name>, or &lt; for the sign itself`,
      );
    }
    at += 1;
    const last = open.at(-1);
    if (last?.tag === tag) open.pop();
    else if (last === undefined) report(start, "stray_close_tag", `</${name}> closes nothing: remove it`);
    else {
      const opened = clip(last.tag);
      const fix = `close <${opened}> of line ${last.line} with </${opened}> first`;
      report(start, "mismatched_tag", `</${name}> does not match <${opened}>: ${fix}`);
      const index = open.findLastIndex((element) => element.tag === tag);
      if (index !== -1) open.length = index;
    }
  };

  const comment = () => {
    const start = at;
    at += 4;
    until("-->");
    if (at === source.length) report(start, "unfinished_comment", "This comment has no end: add -->");
    else at += 3;
  };

  while (at < source.length) {
    if (source[at] !== "<") text(until("<"), false);
    else if (source.startsWith("<!--", at)) comment();
    else if (source[at + 1] === "/") closeTag();
    else if (/[A-Za-z]/.test(source[at + 1] ?? "")) openTag();
    else if (source[at + 1] === "!" || source[at + 1] === "?") {
      report(at, "unsupported_syntax", "Declarations, CDATA and <? ?> are not part of the markup: remove them");
      until(">");
      at += 1;
    } else {
      report(at, "stray_bracket", "This < starts no tag: write &lt; for the sign itself");
      at += 1;
    }
    if (open.length > MAX_DEPTH) {
      report(at - 1, "too_deep", `Tags nest deeper than ${MAX_DEPTH} levels: flatten the document`);
      return { nodes, problems };
    }
  }
  for (const element of open) {
    const name = clip(element.tag);
    problems.push(error(element, "unclosed_tag", `<${name}> is never closed: add </${name}>`));
  }
  return { nodes, problems };
};
