const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * Forbidden even as references (HTML, section 13.2.3.5), and what turns the direction of other text (UAX 9, section 2).
 * U+061C, U+200E and U+200F turn none: Hebrew and Arabic text has them beside punctuation.
 */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
/** A fast path, because Unicode properties are slow. */
const USUAL = /^[\t\n\r -~\u00a0-\u2029\u202f-\u2065\u206a-\u2fff]*$/;

/** Removes characters that no mail may have: controls but tabs and line ends, and what turns the direction. */
export const allowed = (text: string): string => (USUAL.test(text) ? text : text.replace(FORBIDDEN, ""));

/** Escapes text or quoted attributes; removes forbidden characters. */
export const escapeHtml = (text: string): string =>
  allowed(text).replace(/[&<>"']/g, (character) => HTML[character] ?? "");

/** RFC 3986 section 2, including attribute delimiters. */
const UNSAFE = /[\p{Cc} "<>\\^`{|}]/gu;
/** Lone surrogates cannot be encoded, and marks of direction would hide the target. */
const BROKEN = /[\p{Noncharacter_Code_Point}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes characters that no address may have. */
export const allowedInUrl = (url: string): string => url.replace(BROKEN, "");

/** A fast path without Unicode properties. */
const SAFE = /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/;

/** Encodes illegal URL characters; keeps `%`, `&` and `=`. */
export const encodeUrl = (url: string): string =>
  SAFE.test(url) ? url : allowedInUrl(url).replace(UNSAFE, (character) => encodeURIComponent(character));

/** Encodes a value as one part of a URL, which ends no part and begins no other (RFC 3986, section 2.4). */
export const encodePart = (value: string): string =>
  /^[\w.~-]*$/.test(value) ? value : encodeURIComponent(allowedInUrl(value));

/** Escapes a URL for a double-quoted attribute; complete links change only by `&amp;`. */
export const escapeUrl = (url: string): string => encodeUrl(url).replaceAll("&", "&amp;");
