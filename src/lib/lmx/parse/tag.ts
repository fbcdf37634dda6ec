import { tags } from "../language/tags.ts";
import { excerpt } from "../problem.ts";
import { add, type Reader, readTextNode, report, reportEntities, take } from "./reader.ts";
import type { ElementNode } from "./tree.ts";

const NAME = /[A-Za-z][\w.:-]*/y;
const SPACE = /\s+/y;

const readAttribute = (reader: Reader, element: ElementNode, seen: Set<string>) => {
  const { source } = reader;
  const start = reader.at;
  const refuse = (code: string, message: string) => {
    report(reader, start, code, message);
  };
  const name = take(reader, /[^\s"'<>/=]+/y);
  if (name === "") {
    const junk = take(reader, /(?:[^\s<>/]|\/(?!>))+/y);
    return refuse("bad_attribute", `${excerpt(junk)} is not an attribute: write name="value"`);
  }
  take(reader, SPACE);
  if (source[reader.at] !== "=") {
    return refuse("missing_value", `The attribute ${excerpt(name)} has no value: write ${excerpt(name)}="…"`);
  }
  reader.at += 1;
  take(reader, SPACE);
  const quote = source[reader.at] ?? "";
  if (quote !== '"' && quote !== "'") {
    const value = take(reader, /(?:[^\s<>"'/]|\/(?!>))+/y);
    const fix = `write ${excerpt(name)}="${excerpt(value)}"`;
    return refuse("unquoted_attribute", `The value of ${excerpt(name)} needs quotes: ${fix}`);
  }
  reader.at += 1;
  const value = reader.positionAt(reader.at);
  const raw = take(reader, quote === '"' ? /[^"<]*/y : /[^'<]*/y);
  if (source[reader.at] !== quote) {
    const fix = "add the quote (a < inside it is &lt;)";
    return refuse("unclosed_attribute", `The value of ${excerpt(name)} has no closing quote: ${fix}`);
  }
  reader.at += 1;
  reportEntities(reader, raw, value);
  if (seen.has(name)) {
    return refuse("duplicate_attribute", `The attribute ${excerpt(name)} is given twice: keep one`);
  }
  seen.add(name);
  element.attributes.push({ name, raw, value, ...reader.positionAt(start) });
};

/** Reads an open tag with its literal content. */
export const readOpenTag = (reader: Reader): void => {
  const { source, problems } = reader;
  const start = reader.at;
  reader.at += 1;
  const tag = take(reader, NAME);
  const element: ElementNode = { tag, attributes: [], children: [], ...reader.positionAt(start) };
  const name = excerpt(tag);
  const seen = new Set<string>();
  const before = problems.length;
  const atEnd = () => reader.at >= source.length || /^(?:[<>]|\/>)/.test(source.slice(reader.at, reader.at + 2));
  for (take(reader, SPACE); !atEnd(); take(reader, SPACE)) readAttribute(reader, element, seen);
  add(reader, element);
  if (source[reader.at] === "/") {
    reader.at += 2;
    return;
  }
  // A broken attribute often swallows the tag's end; one message is enough.
  const readable = !problems.slice(before).some(({ severity }) => severity === "error");
  if (source[reader.at] === ">") reader.at += 1;
  else if (readable) report(reader, start, "unfinished_tag", `The tag <${name} has no end: add >`);
  const content = tags.get(tag)?.content;
  if (content === "empty" && !source.startsWith(`</${tag}`, reader.at)) {
    if (readable) report(reader, start, "not_self_closed", `<${name}> holds nothing: write <${name}/>`);
    return;
  }
  reader.open.push(element);
  if (content === "raw") readTextNode(reader, `</${tag}`, true);
};

export const readCloseTag = (reader: Reader) => {
  const { source, open } = reader;
  const start = reader.at;
  reader.at += 2;
  const tag = take(reader, NAME);
  take(reader, SPACE);
  const name = excerpt(tag);
  if (tag === "" || source[reader.at] !== ">") {
    const message = `</${name} is not a closing tag: write </Name>, or &lt; for the sign itself`;
    return report(reader, start, "bad_close_tag", message);
  }
  reader.at += 1;
  const last = open.at(-1);
  if (last?.tag === tag) open.pop();
  else if (last === undefined) report(reader, start, "stray_close_tag", `</${name}> closes nothing: remove it`);
  else {
    const opened = excerpt(last.tag);
    const fix = `close <${opened}> of line ${last.line} with </${opened}> first`;
    report(reader, start, "mismatched_tag", `</${name}> does not match <${opened}>: ${fix}`);
    const index = open.findLastIndex((element) => element.tag === tag);
    if (index !== -1) open.length = index;
  }
};
