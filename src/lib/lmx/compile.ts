import { check, checkInside } from "./check/check.ts";
import { expand } from "./check/expand.ts";
import { placesOf } from "./check/places.ts";
import { referenceProblems } from "./check/references.ts";
import { styleOf } from "./check/style.ts";
import { drawDocument } from "./draw/document.ts";
import { type Compiled, flatten, literalOf, MAX_DRAWN, type Parts, type Slot, variablesOf } from "./draw/parts.ts";
import { drawPlain } from "./draw/plain.ts";
import { drawText } from "./draw/text.ts";
import { isRightToLeft, languageOf } from "./language/direction.ts";
import type { Component, Library } from "./language/library.ts";
import { tags } from "./language/tags.ts";
import { type Kind, splitVariables, type VariablePlace } from "./language/variables.ts";
import { MAX_SOURCE_BYTES, parse } from "./parse/parse.ts";
import { controlCharacters, error, MAX_PROBLEMS, type Position, type Problem, warning } from "./problem.ts";

export type { Compiled, Component, Kind, Library, Parts, Problem, Slot, VariablePlace };
export { MAX_SOURCE_BYTES };

/**
 * Fields of a message outside its document: one-line texts from `compileLine`, a BCP 47 language tag, and the format.
 * `plain` looks like a mail that a person wrote: no theme, no colours, no boxes.
 */
export type MessageFields = { subject?: Parts; preview?: Parts; lang?: string; format?: "styled" | "plain" };

/** Gmail cuts a message off after about 102 KB of HTML, and the values of a mail need room too. */
const LARGE_BYTES = 100 * 1024;

const failed = (problems: readonly Problem[]): boolean => problems.some(({ severity }) => severity === "error");

/** In reading order. If there are too many, errors are kept before warnings. */
const inOrder = (problems: readonly Problem[]): Problem[] =>
  [...problems]
    .sort((a, b) => a.severity.localeCompare(b.severity))
    .slice(0, MAX_PROBLEMS)
    .sort((a, b) => a.line - b.line || a.column - b.column);

/**
 * Compiles a document once, for any number of sends; `fill` inserts the values. Never throws. The same arguments give the
 * same result.
 *
 * `fields` holds the fields outside the document: the subject (its title), the preview text (inboxes show it after
 * the subject), the language and the format. `library` holds the themes and components that the document may use.
 * `compiled` is absent when any problem is an error; `variables` includes those of the fields. At most 100 problems, in
 * reading order: those of `parse`, or if it finds no error those of `expand`, or else those of `check` and `styleOf`; and
 * `too_large` with the place from which the HTML is larger than a mail may be.
 */
export const compile = (
  source: string,
  kind: Kind,
  fields: MessageFields = {},
  library: Library = {},
): { compiled?: Compiled; problems: Problem[] } => {
  const read = parse(source);
  // Places in a tree that could not be read completely would be guesses.
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
    compiled: { html, text, variables, places: placesOf(nodes), themes: plain ? [] : themes, components },
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
 * Checks the LMX of a component before it is stored. Variables of every kind of mail are allowed: they are checked again
 * where the component is used. `id` is that of an existing component, so that it cannot use itself. `components`: the ids
 * of those that it uses.
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
 * Compiles a one-line field (subject, preview text, names and addresses): plain text and variables, nothing else.
 * `parts` is absent when any problem is an error. Codes: `line_break`, `tag_not_allowed`,
 * `control_character`, and those of variables.
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
      typeof piece === "string" ? piece : { variable: piece.name, as: "line" as const },
    ),
  );
