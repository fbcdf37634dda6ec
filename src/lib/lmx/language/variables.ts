import { nearest } from "../../util/nearest.ts";

/** The document kind decides its variables; a component may be in any mail. */
export type Kind = "transactional" | "campaign" | "workflow" | "component";

export type VariablePosition = { variable: string; line: number; column: number; component?: string };

const NAMESPACES: Readonly<Record<Kind, readonly string[]>> = {
  transactional: ["data"],
  campaign: ["contact", "system"],
  workflow: ["contact", "event", "system"],
  component: ["contact", "event", "data", "system"],
};
export const UNSUBSCRIBE_LINK = "system.unsubscribe_link";
export const VIEW_LINK = "system.view_in_browser_link";
/** Variables that the service sets for each recipient: addresses of its own pages. */
export const systemLinks: readonly string[] = [UNSUBSCRIBE_LINK, VIEW_LINK];

export const namespacesOf = (kind: Kind): readonly string[] => NAMESPACES[kind];

type Reference = { name: string; written: string; offset: number };

// Bounded quantifiers keep 100 KB of open braces linear.
const REFERENCE = /\{{1,3}[ \t]{0,8}([A-Za-z_][\w.-]{0,99})[ \t]{0,8}\}{1,3}/y;
const UNFINISHED = /\{{1,3}[ \t]{0,8}([A-Za-z_][\w-]{0,99}\.[\w.-]{0,99})/y;

/** Splits text into encoded literals and variables, including malformed ones. */
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

/** Returns a variable's fault and its fix. */
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
    if (namespace !== "system" || systemLinks.includes(name)) return undefined;
    const all = systemLinks.map((link) => `{${link}}`).join(" or ");
    return { code: "unknown_variable", message: `{${name}} does not exist: write ${all}` };
  }
  const all = [...new Set(Object.values(NAMESPACES).flat())];
  const meant = all.includes(namespace) ? known[0] : (nearest(namespace, known) ?? known[0]);
  const where = kind === "component" ? "in any mail" : `in ${kind} mail`;
  return {
    code: "wrong_namespace",
    message: `{${name}} is not available ${where}: did you mean {${meant}.${property}}?`,
  };
};
