import { UNTRACKED } from "../lmx/language/links.ts";

/** An address in the tag of a link, or of a button of Outlook. The compiler writes these tags, so that no value ends one. */
const LINK = new RegExp(`(<(?:a|v:roundrect)\\b[^>]*? href=")([^"]*)"((?:${UNTRACKED})?)`, "g");

type Rewriting = {
  /** The tracked form of an address; undefined where it stays as it is. `link`: 1 for the first address of the mail. */
  linkOf(url: string, link: number): Promise<string | undefined>;
  /** True for the recipient's own links, which are never tracked. */
  isOwn(url: string): boolean;
};

/**
 * Replaces the web addresses of links in the HTML of a mail. Links with `notrack`, mailto, tel and the recipient's own links stay.
 * The same address has the same number everywhere.
 */
export const trackLinks = async (html: string, { linkOf, isOwn }: Rewriting): Promise<string> => {
  const addresses = [...html.matchAll(LINK)].flatMap(([, , escaped = "", attribute]) => {
    const url = escaped.replaceAll("&amp;", "&");
    return attribute === UNTRACKED || !/^https?:\/\//i.test(url) || isOwn(url) ? [] : [url];
  });
  const tracked = new Map(
    await Promise.all(
      [...new Set(addresses)].map(async (url, n) => [url.replaceAll("&", "&amp;"), await linkOf(url, n + 1)] as const),
    ),
  );
  return html.replace(LINK, (_, before: string, escaped: string, attribute: string) => {
    const link = attribute === UNTRACKED ? undefined : tracked.get(escaped);
    return `${before}${link ?? escaped}"`;
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
