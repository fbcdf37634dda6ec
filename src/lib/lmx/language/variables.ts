import { closest } from "../../util/nearest.ts";

/** The purpose of a document. It decides which variables exist. A component may be part of mail of every other kind. */
export type Kind = "transactional" | "campaign" | "workflow" | "component";

/** A place of a document where a variable stands. `component`: the place is in this component, which the document uses. */
export type VariablePlace = { variable: string; line: number; column: number; component?: string };

const NAMESPACES: Readonly<Record<Kind, readonly string[]>> = {
  transactional: ["data"],
  campaign: ["contact", "system"],
  workflow: ["contact", "event", "system"],
  component: ["contact", "event", "data", "system"],
};
/** The only variable that the service itself gives. */
export const SYSTEM = "system.unsubscribe_link";

/** What the names of variables may begin with in a document of this kind. */
export const namespacesOf = (kind: Kind): readonly string[] => NAMESPACES[kind];

/** A variable as written. `name`: without braces. `offset`: its place in the text. */
type Reference = { name: string; written: string; offset: number };

// Every quantifier is bounded, so that 100 KB of open braces are read in linear time.
const REFERENCE = /\{{1,3}[ \t]{0,8}([A-Za-z_][\w.-]{0,99})[ \t]{0,8}\}{1,3}/y;
const UNFINISHED = /\{{1,3}[ \t]{0,8}([A-Za-z_][\w-]{0,99}\.[\w.-]{0,99})/y;

/**
 * Splits a text into literals (with entities still encoded) and variables. A brace that starts no variable is text.
 * Malformed variables are in the result too; `referenceFault` describes their fault.
 */
export const splitVariables = (raw: string): (string | Reference)[] => {
  const pieces: (string | Reference)[] = [];
  let from = 0;
  for (let at = raw.indexOf("{"); at !== -1; at = raw.indexOf("{", at)) {
    const match = matchAt(REFERENCE, raw, at) ?? matchAt(UNFINISHED, raw, at);
    if (match === null) {
      at += 1;
      continue;
    }
    if (at > from) pieces.push(raw.slice(from, at));
    pieces.push({ name: match[1] ?? "", written: match[0], offset: at });
    at += match[0].length;
    from = at;
  }
  if (from < raw.length) pieces.push(raw.slice(from));
  return pieces;
};

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** The fault of a variable in mail of this kind, with its fix; undefined when it is fine. */
export const referenceFault = (reference: Reference, kind: Kind): { code: string; message: string } | undefined => {
  const { name, written } = reference;
  const known = NAMESPACES[kind];
  const [namespace = "", property = "", ...rest] = name.split(".");
  if (!written.endsWith("}")) {
    const fix = "end it with }, names have letters, digits, _ and - (a brace itself is &#123;)";
    return { code: "unclosed_variable", message: `The variable ${written} has no end: ${fix}` };
  }
  if (!name.includes(".")) {
    const code = "unprefixed_variable";
    return { code, message: `{${name}} has no namespace: write {${known[0]}.${name}}` };
  }
  if (written !== `{${name}}` || property === "" || rest.length > 0) {
    const fix = `{${[namespace, property || "name"].join(".")}}`;
    return { code: "bad_variable", message: `${written} is not a variable: write ${fix}` };
  }
  if (known.includes(namespace)) {
    if (namespace !== "system" || name === SYSTEM) return undefined;
    return { code: "unknown_variable", message: `{${name}} does not exist: the only one is {${SYSTEM}}` };
  }
  const all = [...new Set(Object.values(NAMESPACES).flat())];
  const meant = all.includes(namespace) ? known[0] : (closest(namespace, known) ?? known[0]);
  const where = kind === "component" ? "in any mail" : `in ${kind} mail`;
  return {
    code: "wrong_namespace",
    message: `{${name}} is not available ${where}: did you mean {${meant}.${property}}?`,
  };
};
