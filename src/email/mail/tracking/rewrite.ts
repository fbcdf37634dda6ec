import { UNTRACKED } from "../../../lib/lmx/language/links.ts";
import { LINK } from "../../../lib/mail-body/links.ts";

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

/** The picture that tells when a mail is opened. It has no size on the page and no words for a screen reader. */
export const pictureOf = (address: string): string =>
  `<img src="${address}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0;">\n`;
