const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Makes a text safe between tags and inside a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => HTML[character] ?? "");

/** Characters no URL may hold (RFC 3986 section 2), which are also the ones that would end an attribute. */
const UNSAFE = /[\p{Cc} "<>\\^`{|}]/gu;

/**
 * Makes a URL, or a piece of one, safe in a double-quoted attribute. What is legal in a URL stays as it is,
 * `%`, `&` and `=` included, so that a complete link passes unchanged but for the attribute's own `&amp;`.
 */
export const escapeUrl = (url: string): string =>
  url.replace(UNSAFE, (character) => encodeURIComponent(character)).replaceAll("&", "&amp;");

/** Whether a link may go where the URL says: anything else (`javascript:`, `data:`, a bare path) is refused. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(url);

/** Whether an image may be loaded from there. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
