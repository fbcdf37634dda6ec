import { encodeUrl, escapeHtml, escapeUrl } from "./draw/escape.ts";
import type { Parts, UrlPart, ValuePart } from "./draw/parts.ts";
import { isLink, isWebAddress } from "./language/links.ts";

/** Values by full name: `{ "data.amount": "12.00" }`. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** At the start a value decides the scheme, in the host the target. */
const inUrl = (value: string, at: UrlPart | undefined): string => {
  const url = value.trim();
  if (at === "start") return isLink(url) ? encodeUrl(url) : "#";
  const isPath = at === "inHost" && /^[/?#]/.test(url);
  return at === undefined || isPath ? encodeUrl(url) : encodeUrl(url).replace(NOT_IN_HOST, encodeURIComponent);
};

/** Characters that end a host or start its user name. */
const NOT_IN_HOST = /[^\w.~%:-]/g;

const FILLERS: Readonly<
  Record<ValuePart["as"], (value: string, at: UrlPart | undefined, otherwise?: string) => string>
> = {
  html: escapeHtml,
  url: (value, at, otherwise) => {
    if (otherwise === undefined) return escapeUrl(inUrl(value, at));
    const url = value.trim();
    return isWebAddress(url) ? escapeUrl(url) : otherwise;
  },
  address: inUrl,
  text: (value) => value,
  // A line break would start a new header (RFC 5322 section 2.2).
  line: (value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim(),
};

/**
 * Inserts values in one pass; missing ones become empty. A section is left out where all variables of its `showIf` are empty.
 *
 * `html`, `url` and `address` are escaped; a URL start other than http, https, mailto or tel becomes `#`. `text` is
 * verbatim; `line` is one trimmed line. `publicUrl` serves images; words replace them without it.
 *
 * @example fill(["Hi ", { variable: "data.name", as: "html" }], { "data.name": "A & B" }) // "Hi A &amp; B"
 */
export const fill = (parts: Parts, values: Values, publicUrl?: string): string => {
  let filled = "";
  // Sections inside a section that is left out.
  let left = 0;
  for (const part of parts) {
    if (typeof part !== "string" && "section" in part) {
      if (part.section === "end") left -= left > 0 ? 1 : 0;
      else if (left > 0 || part.of.every((name) => isEmpty(values[name]))) left += 1;
      continue;
    }
    if (left > 0) continue;
    if (typeof part === "string") filled += part;
    else if ("before" in part) {
      filled += publicUrl === undefined ? part.otherwise : part.before + escapeUrl(publicUrl) + part.after;
    } else {
      filled += FILLERS[part.as](String(values[part.variable] ?? ""), part.at, part.otherwise);
    }
  }
  return filled;
};

const isEmpty = (value: Values[string] | undefined): boolean => String(value ?? "").trim() === "";

/** Returns variables without a value. Such a send is refused. */
export const missing = (variables: readonly string[], values: Values): string[] =>
  variables.filter((variable) => (values[variable] ?? null) === null);
