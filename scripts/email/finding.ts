import type { Problem } from "../../src/lib/lmx/problem.ts";
import type { Finding, Place } from "./frames.ts";

const IN_COMPONENT = /^(?:In the component (?:"[^\n]*?" \([\w-]+…?\)|[^\n]{1,60}?), line \d+, column \d+: )+/;

/**
 * Splits a message of the compiler into the fact and the fix, which stands after the first colon outside quotes.
 *
 * @example splitFix('Unknown tag <p>: did you mean <Paragraph>?') // { message: "Unknown tag <p>", fix: "did you mean <Paragraph>?" }
 */
const splitFix = (whole: string): { message: string; fix?: string } => {
  const [, message, fix] = /^((?:"[^"]*"|[^"])*?): (.+)$/s.exec(whole) ?? [];
  return message === undefined || fix === undefined ? { message: whole } : { message, fix };
};

/** The files of a mail: the path and the text of the mail, and of each component by its id. */
export type Files = {
  mail: { path: string; text: string };
  components: Readonly<Record<string, { path: string; text: string }>>;
};

/** A problem of the compiler, whose message has the fix, or one with a fix of its own. */
export type Judged = Problem & { fix?: string };

/** A problem as a finding. One in a component gets its place in the component's own file. */
export const findingOf = (problem: Judged, { mail, components }: Files): Finding => {
  const { severity, code, line, column, component } = problem;
  const at: Place = { ...mail, line, column };
  const own = component === undefined ? undefined : components[component.id];
  if (component === undefined || own === undefined) return { ...at, severity, code, ...wordsOf(problem) };
  const place = { ...own, line: component.line, column: component.column };
  return { ...place, severity, code, ...wordsOf(problem), usedAt: at };
};

/** The message says where in a component the problem is; so does the place. */
const wordsOf = ({ message, fix, component }: Judged): { message: string; fix?: string } => {
  const own = (text: string): string => (component === undefined ? text : text.replace(IN_COMPONENT, ""));
  return fix === undefined ? splitFix(own(message)) : { message, fix: own(fix) };
};
