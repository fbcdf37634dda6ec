import { allowed, encodePart, encodeUrl, escapeHtml, escapeUrl } from "./draw/escape.ts";
import type { Edge, Part, Parts, UrlPart, ValuePart } from "./draw/parts.ts";
import { isLink, isWebAddress } from "./language/links.ts";

/** Marks of direction that the text of a team may have, and a value of a stranger not. */
const MARKS = /[\u061c\u200e\u200f]/g;

/** Values by full name: `{ "data.amount": "12.00" }`. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** Returns the text of a value as a mail may have it, empty if there is none. */
export const valueIn = (values: Values, variable: string): string => String(values[variable] ?? "").replace(MARKS, "");

/** Characters that end a host or start its user name. */
const NOT_IN_HOST = /[^\w.~%:-]/g;

const inHost = (url: string): string => encodeUrl(url).replace(NOT_IN_HOST, encodeURIComponent);

const kept = (url: string, encoded: RegExp): string => encodePart(url).replace(encoded, decodeURIComponent);

/** At the start a value decides the scheme, in the host the target; elsewhere it stays in its part. */
const ENCODERS: Readonly<Record<UrlPart, (value: string) => string>> = {
  start: (url) => (isLink(url) ? encodeUrl(url) : "#"),
  host: inHost,
  inHost: (url) => (/^[/?#]/.test(url) ? encodeUrl(url) : inHost(url)),
  path: (path) => kept(path, /%2F/g),
  query: (query) => encodeUrl(query).replaceAll("#", "%23"),
  part: encodePart,
  // RFC 6068, section 2.
  mailbox: (mailboxes) => kept(mailboxes, /%(?:40|2B|2C)/g),
  // RFC 3966 knows no white space.
  phone: (number) => kept(number.replace(/\s+/g, ""), /%(?:2B|3B|3D)/g),
};

/** Encodes a value for its place in an address. */
export const inUrl = (value: string, at: UrlPart | undefined): string => {
  const url = value.trim();
  return at === undefined ? encodeUrl(url) : ENCODERS[at](url);
};

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
  text: allowed,
  // A line break would start a new header (RFC 5322 section 2.2).
  line: (value) => allowed(value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")).trim(),
};

/**
 * Inserts values in one pass; missing ones become empty. A section is left out where all variables of its `showIf` are empty.
 *
 * `html`, `url` and `address` are escaped; a URL start other than http, https, mailto or tel becomes `#`. `text` stays as
 * it is, and `line` is one trimmed line, without control characters. `publicUrl` serves images; words replace them without it.
 *
 * @example fill(["Hi ", { variable: "data.name", as: "html" }], { "data.name": "A & B" }) // "Hi A &amp; B"
 */
export const fill = (parts: Parts, values: Values, publicUrl?: string): string => {
  let filled = "";
  const isShown = sectionsOf(values);
  for (const part of parts) {
    if (!isShown(part)) continue;
    if (typeof part === "string") filled += part;
    else if ("before" in part) {
      filled += publicUrl === undefined ? part.otherwise : part.before + escapeUrl(publicUrl) + part.after;
    } else {
      filled += FILLERS[part.as](valueIn(values, part.variable), part.at, part.otherwise);
    }
  }
  return filled;
};

/** Follows the sections, and tells which part is shown: an edge of a section never is. */
export const sectionsOf = (values: Values) => {
  // Sections inside a section that is left out.
  let left = 0;
  return (part: Part): part is Exclude<Part, Edge> => {
    if (typeof part === "string" || !("section" in part)) return left === 0;
    if (part.section === "end") left -= left > 0 ? 1 : 0;
    else if (left > 0 || part.of.every((name) => isEmpty(values[name]))) left += 1;
    return false;
  };
};

const isEmpty = (value: Values[string] | undefined): boolean => String(value ?? "").trim() === "";

/** Stands for values that are not kept: each variable as it is written. */
export const namesAsValues = ({ variables }: { variables: readonly string[] }): Values =>
  Object.fromEntries(variables.map((variable) => [variable, `{${variable}}`]));

/** Returns variables without a value. Such a send is refused. */
export const missing = (variables: readonly string[], values: Values): string[] =>
  variables.filter((variable) => (values[variable] ?? null) === null);
