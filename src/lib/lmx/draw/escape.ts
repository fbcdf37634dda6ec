const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Forbidden even as references: HTML, section 13.2.3.5. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\p{Cs}]/gu;
/** A fast path, because Unicode properties are slow. */
const USUAL = /^[\t\n\r -~\u00a0-\u2fff]*$/;

const allowed = (text: string): string => (USUAL.test(text) ? text : text.replace(FORBIDDEN, ""));

/** Escapes text or quoted attributes; removes forbidden characters. */
export const escapeHtml = (text: string): string =>
  allowed(text).replace(/[&<>"']/g, (character) => HTML[character] ?? "");

/** RFC 3986 section 2, including attribute delimiters. */
const UNSAFE = /[\p{Cc} "<>\\^`{|}]/gu;
/** Lone surrogates cannot be encoded. */
const BROKEN = /[\p{Noncharacter_Code_Point}\p{Cs}]/gu;

/** A fast path without Unicode properties. */
const SAFE = /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/;

/** Encodes illegal URL characters; keeps `%`, `&` and `=`. */
export const encodeUrl = (url: string): string =>
  SAFE.test(url) ? url : url.replace(BROKEN, "").replace(UNSAFE, (character) => encodeURIComponent(character));

/** Escapes a URL for a double-quoted attribute; complete links change only by `&amp;`. */
export const escapeUrl = (url: string): string => encodeUrl(url).replaceAll("&", "&amp;");
