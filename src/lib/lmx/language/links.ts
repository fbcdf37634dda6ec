/** Refuses `javascript:`, `data:` and bare paths. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)/i.test(url);

/** Marks an untracked link, directly after its address. */
export const UNTRACKED = " data-notrack";

export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/** A name with a dot, or an IP address. `hostname`: as `URL` gives it. */
export const isPublicHost = (hostname: string): boolean =>
  hostname.startsWith("[") || /^[^.]+(?:\.[^.]+)+\.?$/.test(hostname);

/** A fast path, because most links are of this form. */
const USUAL = /^https?:\/\/(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d{1,4})?(?:[/?#][!-~]*)?$/i;
const MAILBOX = /^mailto:(?:\?.|[^?@%]+(?:@|%40)[^?@%])/i;
const LOCAL = /^(?:.+\.)?localhost$/;

/** True for a whole address that a reader can open: with a host, a mailbox or a number, and not only the beginning of one. */
export const isWholeLink = (url: string): boolean => {
  if (USUAL.test(url)) return true;
  if (/^tel:/i.test(url)) return /\d/.test(url);
  if (/^mailto:/i.test(url)) return MAILBOX.test(url);
  const { hostname } = (/^https?:\/\/[^/?#\\]/i.test(url) && URL.parse(url)) || { hostname: "" };
  return isPublicHost(hostname) || LOCAL.test(hostname);
};
