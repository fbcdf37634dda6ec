import type { Problem } from "../../src/lib/lmx/problem.ts";
import type { FilePosition, Finding } from "./frames.ts";

const IN_COMPONENT = /^(?:In the component (?:"[^\n]*?" \([\w-]+…?\)|[^\n]{1,60}?), line \d+, column \d+: )+/;

/** The fix stands after the first colon outside quotes. */
const splitFix = (whole: string): { message: string; fix?: string } => {
  const [, message, fix] = /^((?:"[^"]*"|[^"])*?): (.+)$/s.exec(whole) ?? [];
  return message === undefined || fix === undefined ? { message: whole } : { message, fix };
};

export type Files = {
  mail: { path: string; text: string };
  components: Readonly<Record<string, { path: string; text: string }>>;
};

export type Judged = Problem & { fix?: string };

/** Converts a problem to a finding, placed in its component if it has one. */
export const findingOf = (problem: Judged, { mail, components }: Files): Finding => {
  const { severity, code, line, column, component } = problem;
  const at: FilePosition = { ...mail, line, column };
  const own = component === undefined ? undefined : components[component.id];
  if (component === undefined || own === undefined) return { ...at, severity, code, ...wordsOf(problem) };
  const position = { ...own, line: component.line, column: component.column };
  return { ...position, severity, code, ...wordsOf(problem), usedAt: at };
};

const wordsOf = ({ message, fix, component }: Judged): { message: string; fix?: string } => {
  const own = (text: string): string => (component === undefined ? text : text.replace(IN_COMPONENT, ""));
  return fix === undefined ? splitFix(own(message)) : { message, fix: own(fix) };
};
