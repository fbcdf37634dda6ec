import { entry } from "../language/library.ts";
import { excerpt } from "../problem.ts";
import type { Facts, FieldProblem } from "./facts.ts";
import type { ContentLocation } from "./nodes.ts";
import type { Item, Rule } from "./rule.ts";

/** Builds a key that matches problems and items. */
export const keyOf = ({ path, line, column, component }: ContentLocation): string =>
  [path, line, column, component?.id, component?.line, component?.column].join(" ");

export const locationOf = ({ field, line, column, component }: FieldProblem): ContentLocation => ({
  path: field === "lmx" ? `lmx:${line}:${column}` : field,
  line,
  column,
  ...(component === undefined ? {} : { component }),
});

const writtenAt = (problem: FieldProblem, { message, library }: Facts): string => {
  const { field, component } = problem;
  const { line, column } = component ?? problem;
  const texts: Readonly<Record<string, unknown>> = message;
  const text = component === undefined ? texts[field] : entry(library.components, component.id)?.lmx;
  const rest =
    String(text ?? "")
      .split("\n")
      [line - 1]?.slice(column - 1) ?? "";
  return excerpt(rest.trim()) || problem.code;
};

const problemRule = (severity: "error" | "warning", named: Pick<Rule, "rule" | "title" | "description">): Rule => ({
  ...named,
  severity,
  find: (facts) =>
    facts.problems
      .filter((problem) => problem.severity === severity)
      // The message already names the component.
      .map((problem): Item => {
        const { code, message } = problem;
        return { label: writtenAt(problem, facts), codeName: code, ...locationOf(problem), fix: message };
      }),
});

export const remainingRules: readonly Rule[] = [
  problemRule("error", {
    rule: "mailspan.invalidContent",
    title: "Invalid content",
    description: "The message cannot be compiled, so it cannot be sent.",
  }),
  problemRule("warning", {
    rule: "mailspan.contentWarnings",
    title: "Content that may not be meant",
    description: "The message is sent all the same.",
  }),
];
