import type { Part, Parts, UrlPart, ValuePart } from "./draw/parts.ts";
import { inUrl, sectionsOf, type Values, valueIn } from "./fill.ts";
import { isWholeLink } from "./language/links.ts";
import { systemLinks } from "./language/variables.ts";

/** A link that leads nowhere, or that a value such as `..` leads out of its path. `variables`: the ones in it. */
export type DeadLink = { variables: readonly string[]; why: "address" | "dots" };

type Filled = (part: ValuePart) => string;

/** Places of values that decide where an address leads. */
const DECIDING: ReadonlySet<UrlPart | undefined> = new Set(["start", "host", "inHost", "mailbox", "phone"]);
/** Browsers resolve these parts of a path, encoded ones too (WHATWG URL, section 4.4). */
const DOTS = /^\s*\.\.?\s*$/;

const isSlot = (part: Part | undefined): part is ValuePart =>
  part !== undefined &&
  typeof part !== "string" &&
  "variable" in part &&
  part.as === "url" &&
  part.otherwise === undefined;

/** Returns the links of shown parts that lead nowhere with these values. An address is tested once, at its first value. */
const findDead = (html: Parts, isShown: (part: Part) => boolean, filled: Filled): DeadLink[] => {
  const dead: DeadLink[] = [];
  html.forEach((part, at) => {
    if (!isShown(part) || !isSlot(part) || systemLinks.includes(part.variable)) return;
    if (DECIDING.has(part.at)) {
      const before = part.at === "start" ? "" : beginningOf(html[at - 1]);
      if (before === undefined) return;
      const { address, variables } = addressFrom(html, at, filled);
      if (!isWholeLink(before + address)) dead.push({ variables, why: "address" });
    } else if (part.at === "part" && DOTS.test(filled(part)) && isPathPart(html, at))
      dead.push({ variables: [part.variable], why: "dots" });
  });
  return dead;
};

/** The literal beginning of an address; undefined after another value. */
const beginningOf = (part: Part | undefined): string | undefined =>
  typeof part === "string" && part.includes('"') ? part.slice(part.lastIndexOf('"') + 1) : undefined;

const addressFrom = (html: Parts, start: number, filled: Filled) => {
  const variables: string[] = [];
  let address = "";
  for (let at = start; ; at += 1) {
    const part = html[at];
    if (isSlot(part)) {
      if (DECIDING.has(part.at)) variables.push(part.variable);
      address += inUrl(filled(part), part.at);
    } else {
      const text = typeof part === "string" ? part : '"';
      const end = text.indexOf('"');
      address += end === -1 ? text : text.slice(0, end);
      if (end !== -1) return { address, variables };
    }
  }
};

const isPathPart = (html: Parts, at: number): boolean => {
  const [before, after] = [html[at - 1], html[at + 1]];
  if (typeof before !== "string" || !before.endsWith("/") || typeof after !== "string" || !/^["/?#]/.test(after))
    return false;
  let start = at - 1;
  while (start > 0 && !String(html[start]).includes('"')) start -= 1;
  const literals = html
    .slice(start, at)
    .map((part) => (typeof part === "string" ? part.slice(part.lastIndexOf('"') + 1) : ""));
  return !/[?#]/.test(literals.join(""));
};

/** Returns the links of a mail that would lead nowhere. */
export const deadLinks = (html: Parts, values: Values): DeadLink[] =>
  findDead(html, sectionsOf(values), ({ variable }) => valueIn(values, variable));

const EXAMPLES: { readonly [Place in UrlPart]?: string } = {
  start: "https://example.com",
  mailbox: "ada@example.com",
  phone: "1",
};

/** Returns the fallbacks that make dead links, whatever the other values are. */
export const deadFallbacks = (
  html: Parts,
  variables: readonly string[],
  fallbacks: Readonly<Record<string, string>>,
): string[] => {
  const own = (name: string) => (Object.hasOwn(fallbacks, name) ? fallbacks[name] : undefined);
  const isShown = sectionsOf(Object.fromEntries(variables.map((name) => [name, own(name) ?? "x"])));
  const dead = findDead(html, isShown, ({ variable, at }) => own(variable) ?? (at && EXAMPLES[at]) ?? "x");
  return [...new Set(dead.flatMap((link) => link.variables.filter((name) => own(name) !== undefined)))];
};
