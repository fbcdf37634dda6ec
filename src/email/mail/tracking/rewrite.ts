import { UNTRACKED } from "../../../lib/lmx/language/links.ts";
import { LINK } from "../../../lib/mail-body/links.ts";

type Rewriting = {
  /** Undefined keeps the address. `link`: 1 for the first. */
  linkOf(url: string, link: number): Promise<string | undefined>;
  isOwn(url: string): boolean;
};

/** Replaces web links, except `notrack` and the recipient's personal links. Equal addresses share one number. */
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

/** Invisible open-tracking picture, without text for screen readers. */
export const pictureOf = (address: string): string =>
  `<img src="${address}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0;">\n`;
