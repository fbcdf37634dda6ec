import { escapeHtml, escapeUrl } from "./draw/escape.ts";
import type { Parts, Slot } from "./draw/parts.ts";
import { isLink, isWebAddress } from "./language/links.ts";

/** Values by full variable name: `{ "data.amount": "12.00" }`. */
export type Values = Readonly<Record<string, string | number | boolean>>;

const FILLERS: Readonly<Record<Slot["as"], (value: string, starts: boolean, otherwise?: string) => string>> = {
  html: escapeHtml,
  // The start of a URL decides its scheme. Only there can a value turn a link into a script.
  url: (value, starts, otherwise) => {
    const url = value.trim();
    if (otherwise !== undefined) return isWebAddress(url) ? escapeUrl(url) : otherwise;
    return starts && !isLink(url) ? "#" : escapeUrl(url);
  },
  text: (value) => value,
  // A line break in a header would start a new header (RFC 5322 section 2.2).
  line: (value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim(),
};

/**
 * Inserts values into compiled parts in one pass. The content of a value is never read as a variable.
 *
 * - `html`: escaped. `url`: escaped for the attribute; a value at the start of a URL becomes `#` unless it is http,
 * https, mailto or tel. A picture's `dynamicSrc` becomes its `src` unless it is http or https.
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
      const before = parts[index - 1];
      // Literals inside a URL have no quotes (escapeUrl), so `="` can only be the start of the attribute.
      const starts = typeof before === "string" && before.endsWith('="');
      filled += FILLERS[part.as](String(values[part.variable] ?? ""), starts, part.otherwise);
    }
  });
  return filled;
};

/** The variables without a value, in the given order. A send that lacks any is refused. */
export const missing = (variables: readonly string[], values: Values): string[] =>
  variables.filter((variable) => (values[variable] ?? null) === null);
