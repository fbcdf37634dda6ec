const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for use between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => HTML[character] ?? "");

/** Characters that are not allowed in URLs (RFC 3986 section 2). They include those that would end an attribute. */
const UNSAFE = /[\p{Cc} "<>\\^`{|}]/gu;

/**
 * Escapes a URL, or a part of one, for a double-quoted attribute. Legal characters stay, including `%`, `&` and `=`, so
 * a complete link only changes by the attribute's own `&amp;`.
 */
export const escapeUrl = (url: string): string =>
  url.replace(UNSAFE, (character) => encodeURIComponent(character)).replaceAll("&", "&amp;");
