import { UNTRACKED } from "../lmx/language/links.ts";

/** An address in the tag of a link, or of a button of Outlook. The compiler writes these tags, so that no value ends one. */
const LINK = new RegExp(`(<(?:a|v:roundrect)\\b[^>]*? href=")([^"]*)"((?:${UNTRACKED})?)`, "g");

type Rewriting = {
  /** The tracked form of an address; undefined where it stays as it is. `link`: 1 for the first address of the mail. */
  linkOf(url: string, link: number): string | undefined;
  /** True for the recipient's own links, which are never tracked. */
  isOwn(url: string): boolean;
};

/**
 * Replaces the web addresses of links in the HTML of a mail. Links with `notrack`, mailto, tel and the recipient's own links stay.
 * The same address has the same number everywhere.
 */
export const trackLinks = (html: string, { linkOf, isOwn }: Rewriting): string => {
  const numbers = new Map<string, number>();
  return html.replace(LINK, (_, before: string, escaped: string, attribute: string) => {
    const url = escaped.replaceAll("&amp;", "&");
    if (attribute === UNTRACKED || !/^https?:\/\//i.test(url) || isOwn(url)) return `${before}${escaped}"`;
    const link = numbers.get(url) ?? numbers.size + 1;
    numbers.set(url, link);
    return `${before}${linkOf(url, link) ?? escaped}"`;
  });
};

/** Removes what the compiler wrote for links with `notrack`. */
export const cleanLinks = (html: string): string =>
  html.replace(LINK, (_, before: string, escaped: string) => `${before}${escaped}"`);

/** Adds a piece of HTML at the end of the body. */
export const appendTo = (html: string, piece: string): string => {
  const at = html.lastIndexOf("</body>");
  return at === -1 ? html + piece : html.slice(0, at) + piece + html.slice(at);
};

/** The picture that tells when a mail is opened. It has no size on the page and no words for a screen reader. */
export const pictureOf = (address: string): string =>
  `<img src="${address}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0;">\n`;
