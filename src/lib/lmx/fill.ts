import { encodeUrl, escapeHtml, escapeUrl } from "./draw/escape.ts";
import type { Parts, Slot, UrlPart } from "./draw/parts.ts";
import { isLink, isWebAddress } from "./language/links.ts";

/** Values by full variable name: `{ "data.amount": "12.00" }`. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** A value in a URL. At its start the value decides the scheme, and in the host where the link leads. */
const inUrl = (value: string, at: UrlPart | undefined): string => {
  const url = value.trim();
  if (at === "start") return isLink(url) ? encodeUrl(url) : "#";
  const isPath = at === "inHost" && /^[/?#]/.test(url);
  return at === undefined || isPath ? encodeUrl(url) : encodeUrl(url).replace(NOT_IN_HOST, encodeURIComponent);
};

/** What ends a host, or would make the characters before it a user name. */
const NOT_IN_HOST = /[^\w.~%:-]/g;

const FILLERS: Readonly<Record<Slot["as"], (value: string, at: UrlPart | undefined, otherwise?: string) => string>> = {
  html: escapeHtml,
  url: (value, at, otherwise) => {
    if (otherwise === undefined) return escapeUrl(inUrl(value, at));
    const url = value.trim();
    return isWebAddress(url) ? escapeUrl(url) : otherwise;
  },
  address: inUrl,
  text: (value) => value,
  // A line break in a header would start a new header (RFC 5322 section 2.2).
  line: (value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim(),
};

/**
 * Inserts values into compiled parts in one pass. The content of a value is never read as a variable.
 *
 * - `html`: escaped. `url`: escaped for the attribute, `address`: for a URL in the text body; a value at the start of a URL
 * becomes `#` unless it is http, https, mailto or tel, and a value in the host cannot end the host. A picture's `dynamicSrc` becomes its `src` unless it is http or https.
 * - `text`: verbatim. `line`: verbatim, control characters and line breaks become one space, ends trimmed.
 *
 * A variable without a value becomes an empty string: ask `missing` first.
 *
 * `publicUrl`: the address of the email Worker for the pictures that it serves. Without it, words stand for them.
 *
 * @example fill(["Hi ", { variable: "data.name", as: "html" }], { "data.name": "A & B" }) // "Hi A &amp; B"
 */
export const fill = (parts: Parts, values: Values, publicUrl?: string): string => {
  let filled = "";
  parts.forEach((part, index) => {
    if (typeof part === "string") filled += part;
    else if ("before" in part) {
      filled += publicUrl === undefined ? part.otherwise : part.before + escapeUrl(publicUrl) + part.after;
    } else {
      filled += FILLERS[part.as](String(values[part.variable] ?? ""), placeOf(part, parts[index - 1]), part.otherwise);
    }
  });
  return filled;
};

/** A revision of an older version says by the attribute's quote only that a URL starts: its literals have none. */
const placeOf = (slot: Slot, before: Parts[number] | undefined): UrlPart | undefined =>
  slot.at ?? (slot.as === "url" && typeof before === "string" && before.endsWith('="') ? "start" : undefined);

/** The variables without a value, in the given order. A send that lacks any is refused. */
export const missing = (variables: readonly string[], values: Values): string[] =>
  variables.filter((variable) => (values[variable] ?? null) === null);
