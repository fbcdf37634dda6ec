const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Characters that no HTML document may have, not even as references: HTML, section 13.2.3.5. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\p{Cs}]/gu;
/** Most texts have only characters that need no search by Unicode properties, which is slow. */
const USUAL = /^[\t\n\r -~\u00a0-\u2fff]*$/;

const allowed = (text: string): string => (USUAL.test(text) ? text : text.replace(FORBIDDEN, ""));

/** Escapes a text for use between tags or in a quoted attribute. Characters that HTML may not have are left out. */
export const escapeHtml = (text: string): string =>
  allowed(text).replace(/[&<>"']/g, (character) => HTML[character] ?? "");

/** Characters that are not allowed in URLs (RFC 3986 section 2). They include those that would end an attribute. */
const UNSAFE = /[\p{Cc} "<>\\^`{|}]/gu;
/** Half of a surrogate pair cannot be encoded. */
const BROKEN = /[\p{Noncharacter_Code_Point}\p{Cs}]/gu;

/** Most URLs have only these, and need no search by Unicode properties. */
const SAFE = /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/;

/** Encodes the characters that no URL may have. Legal characters stay, including `%`, `&` and `=`. */
export const encodeUrl = (url: string): string =>
  SAFE.test(url) ? url : url.replace(BROKEN, "").replace(UNSAFE, (character) => encodeURIComponent(character));

/** Escapes a URL, or a part of one, for a double-quoted attribute: a complete link only changes by `&amp;`. */
export const escapeUrl = (url: string): string => encodeUrl(url).replaceAll("&", "&amp;");
