import { check } from "./check/check.ts";
import { referenceProblems } from "./check/references.ts";
import { drawDocument, type MessageFields } from "./draw/document.ts";
import { type Compiled, flatten, type Parts, type Slot, variablesOf } from "./draw/parts.ts";
import { drawText } from "./draw/text.ts";
import { tags } from "./language/tags.ts";
import { type Kind, splitVariables } from "./language/variables.ts";
import { parse } from "./parse/parse.ts";
import { error, type Problem, warning } from "./problem.ts";

export type { Compiled, Kind, MessageFields, Parts, Problem, Slot };

/** Most problems shown: a broken document may have tens of thousands. */
const MAX_PROBLEMS = 100;
/** Gmail cuts a message off after this many bytes of HTML. */
const GMAIL_CLIP_BYTES = 102 * 1024;

const failed = (problems: readonly Problem[]): boolean => problems.some(({ severity }) => severity === "error");

/** In reading order. If there are too many, errors are kept before warnings. */
const inOrder = (problems: readonly Problem[]): Problem[] =>
  [...problems]
    .sort((a, b) => a.severity.localeCompare(b.severity))
    .slice(0, MAX_PROBLEMS)
    .sort((a, b) => a.line - b.line || a.column - b.column);

/**
 * Compiles a document once, for any number of sends; `fill` inserts the values. Never throws.
 *
 * `fields` holds the fields outside the document: the subject (its title), the preview text (inboxes show it after
 * the subject) and the language. `compiled` is absent when any problem is an error; `variables` includes those of the
 * fields. At most 100 problems, in reading order: those of `parse`, or if it finds no error those of `check`.
 */
export const compile = (
  source: string,
  kind: Kind,
  fields: MessageFields = {},
): { compiled?: Compiled; problems: Problem[] } => {
  const { nodes, problems: unread } = parse(source);
  // Places in a tree that could not be read completely would be guesses.
  if (failed(unread)) return { problems: inOrder(unread) };
  const problems = [...unread, ...check(nodes, kind)];
  if (failed(problems)) return { problems: inOrder(problems) };
  const html = flatten(drawDocument(nodes, fields));
  const text = flatten(drawText(nodes));
  return {
    compiled: { html, text, variables: variablesOf(html, text) },
    problems: inOrder([...problems, ...sizeProblems(html)]),
  };
};

const sizeProblems = (html: Parts): Problem[] => {
  const literal = html.map((part) => (typeof part === "string" ? part : "")).join("");
  const bytes = new TextEncoder().encode(literal).length;
  if (bytes <= GMAIL_CLIP_BYTES) return [];
  const message = `The mail is ${Math.ceil(bytes / 1024)} KB of HTML and Gmail cuts it off at 102 KB: shorten it`;
  return [warning({ line: 1, column: 1 }, "large_html", message)];
};

/**
 * Compiles a one-line field (subject, preview text, names and addresses): plain text and variables, nothing else.
 * `parts` is absent when any problem is an error. Codes: `line_break`, `tag_not_allowed`, and those of variables.
 */
export const compileLine = (
  source: string,
  kind: Kind,
): { parts?: Parts; variables: string[]; problems: Problem[] } => {
  const start = { line: 1, column: 1 };
  const problems = referenceProblems(source, start, kind);
  if (/[\r\n\u2028\u2029]/.test(source))
    problems.push(error(start, "line_break", "This field is one line: remove the line breaks"));
  const written = [...source.matchAll(/<\/?([A-Za-z][A-Za-z0-9]{0,15})\b/g)].map(([, name = ""]) => name);
  const tag = written.find((name) => tags.has(name));
  if (tag !== undefined) {
    problems.push(error(start, "tag_not_allowed", `This field is plain text: remove <${tag}>`));
  }
  if (failed(problems)) return { variables: [], problems: inOrder(problems) };
  const parts = lineParts(source);
  return { parts, variables: variablesOf(parts), problems: [] };
};

const lineParts = (source: string): Parts =>
  flatten(
    splitVariables(source).map((piece) =>
      typeof piece === "string" ? piece : { variable: piece.name, as: "line" as const },
    ),
  );
