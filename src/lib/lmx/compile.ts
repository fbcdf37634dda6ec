import { check, checkInside } from "./check/check.ts";
import { expand } from "./check/expand.ts";
import { referenceProblems } from "./check/references.ts";
import { styleOf } from "./check/style.ts";
import { positionsOf } from "./check/variable-positions.ts";
import { drawDocument } from "./draw/document.ts";
import { allowed } from "./draw/escape.ts";
import { type Compiled, flatten, literalOf, MAX_DRAWN, type Parts, variablesOf } from "./draw/parts.ts";
import { drawPlain } from "./draw/plain.ts";
import { drawText } from "./draw/text.ts";
import { isRightToLeft, languageOf } from "./language/direction.ts";
import type { Component, Library } from "./language/library.ts";
import { tags } from "./language/tags.ts";
import { type Kind, splitVariables } from "./language/variables.ts";
import { MAX_SOURCE_BYTES, parse } from "./parse/parse.ts";
import { controlCharacters, error, MAX_PROBLEMS, type Position, type Problem, warning } from "./problem.ts";

export type { Compiled, Component, Kind, Library, Parts, Problem };
export { MAX_SOURCE_BYTES };

/** One-line fields from `compileLine`, a BCP 47 tag and a format. `plain` has no theme, colors or boxes. */
export type MessageFields = { subject?: Parts; preview?: Parts; lang?: string; format?: "styled" | "plain" };

/** Gmail truncates messages after about 102 KB of HTML; values need space too. */
const LARGE_BYTES = 100 * 1024;

const failed = (problems: readonly Problem[]): boolean => problems.some(({ severity }) => severity === "error");

const inOrder = (problems: readonly Problem[]): Problem[] =>
  [...problems]
    .sort((a, b) => a.severity.localeCompare(b.severity))
    .slice(0, MAX_PROBLEMS)
    .sort((a, b) => a.line - b.line || a.column - b.column);

/**
 * Compiles a document for `fill`. Deterministic; never throws.
 *
 * `compiled` is absent after any error. At most 100 problems, in reading order, come from the first failed stage:
 * `parse`, `expand`, then `check` and `styleOf`. `too_large` marks the position that exceeds the size limit.
 */
export const compile = (
  source: string,
  kind: Kind,
  fields: MessageFields = {},
  library: Library = {},
): { compiled?: Compiled; problems: Problem[] } => {
  const read = parse(source);
  // Positions in an incomplete tree would be guesses.
  if (failed(read.problems)) return { problems: inOrder(read.problems) };
  const { nodes, components, problems: unexpanded } = expand(read.nodes, library);
  const before = [...read.problems, ...unexpanded];
  if (failed(before)) return { problems: inOrder(before) };
  const plain = fields.format === "plain";
  const { theme, themes, problems: unstyled } = styleOf(nodes, library);
  const problems = [...before, ...check(nodes, kind), ...unstyled];
  if (failed(problems)) return { problems: inOrder(problems) };
  const language = languageOf(fields.lang);
  const direction: "ltr" | "rtl" = isRightToLeft(language) ? "rtl" : "ltr";
  const shown = { subject: fields.subject ?? [], preview: fields.preview ?? [], language, direction };
  const { parts: html, beyond } = plain ? drawPlain(nodes, shown) : drawDocument(nodes, shown, theme);
  if (beyond !== undefined) return { problems: inOrder([...problems, tooLarge(beyond)]) };
  const text = flatten(drawText(nodes));
  const variables = variablesOf(html, text);
  return {
    compiled: { html, text, variables, positions: positionsOf(nodes), themes: plain ? [] : themes, components },
    problems: inOrder([...problems, ...sizeProblems(html)]),
  };
};

const tooLarge = (at: Position): Problem =>
  error(at, "too_large", `The mail gets larger than ${MAX_DRAWN / 1000} KB of HTML here: shorten it`);

const sizeProblems = (html: Parts): Problem[] => {
  const literal = html.map(literalOf).join("");
  const bytes = new TextEncoder().encode(literal).length;
  if (bytes <= LARGE_BYTES) return [];
  const message = `The mail is ${Math.ceil(bytes / 1024)} KB of HTML and Gmail cuts it off at about 102 KB: shorten it`;
  return [warning({ line: 1, column: 1 }, "large_html", message)];
};

/**
 * Checks a component before storage. Variables of every mail kind are permitted. `id` prevents self-use; `components`
 * lists used ids.
 */
export const checkComponent = (
  lmx: string,
  library: Library = {},
  id?: string,
): { problems: Problem[]; components: string[] } => {
  const read = parse(lmx);
  if (failed(read.problems)) return { problems: inOrder(read.problems), components: [] };
  const { nodes, components, problems } = expand(read.nodes, library, id === undefined ? [] : [id]);
  const found = [...read.problems, ...problems, ...checkInside(nodes)];
  return { problems: inOrder(found), components };
};

/**
 * Compiles a one-line field of text and variables. Without errors it returns `parts`. Codes: `line_break`,
 * `tag_not_allowed`, `control_character`, and those of variables.
 */
export const compileLine = (
  source: string,
  kind: Kind,
): { parts?: Parts; variables: string[]; problems: Problem[] } => {
  const start = { line: 1, column: 1 };
  const problems = [...referenceProblems(source, start, kind), ...controlCharacters(source)];
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
      typeof piece === "string" ? allowed(piece) : { variable: piece.name, as: "line" as const },
    ),
  );
