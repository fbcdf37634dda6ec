import { literalOf, type Parts } from "../../../lib/lmx/draw/parts.ts";
import { sectionsOf, type Values } from "../../../lib/lmx/fill.ts";
import { UNTRACKED } from "../../../lib/lmx/language/links.ts";
import { LINK } from "../../../lib/mail-body/links.ts";

type Rewriting = {
  /** Undefined keeps the address. `link` and `place`: 1 for the first. */
  linkOf(url: string, link: number, place: number): Promise<string | undefined>;
  isOwn(url: string): boolean;
  /** The places of the links that this recipient sees, in order; undefined if all are shown. */
  places?: readonly number[] | undefined;
};

/**
 * Replaces web links, except `notrack` and the recipient's personal links. Equal addresses share one number, and each has
 * its place.
 */
export const trackLinks = async (html: string, { linkOf, isOwn, places }: Rewriting): Promise<string> => {
  const numbers = new Map<string, number>();
  const found = inPlaces([...html.matchAll(LINK)]).map(({ escaped, isUntracked, nth }) => {
    const url = escaped.replaceAll("&amp;", "&");
    if (isUntracked || !/^https?:\/\//i.test(url) || isOwn(url)) return undefined;
    const link = numbers.get(url) ?? numbers.size + 1;
    numbers.set(url, link);
    const place = places?.[nth - 1] ?? nth;
    return { key: `${place} ${url}`, url, link, place };
  });
  const made = new Map<string, Promise<string | undefined>>();
  for (const one of found) if (one && !made.has(one.key)) made.set(one.key, linkOf(one.url, one.link, one.place));
  const tracked = await Promise.all(found.map((one) => one && made.get(one.key)));
  let at = 0;
  return html.replace(LINK, (_, before: string, escaped: string) => `${before}${tracked[at++] ?? escaped}"`);
};

/** `nth`: of the links that a reader sees. A button has a second link before it, for Outlook, at the same place. */
const inPlaces = (links: readonly RegExpExecArray[]) => {
  let seen = 0;
  return links.map(([, before = "", escaped = "", attribute]) => {
    const isSeen = before.startsWith("<a");
    const nth = seen + 1;
    if (isSeen) seen += 1;
    return { escaped, isUntracked: attribute === UNTRACKED, nth };
  });
};

const ANCHOR = /<a\b[^>]*? href="/g;

/**
 * Returns the places of the links that a recipient sees, or undefined if no section may be left out. Places count all
 * links of the content, so that they are the same for everybody.
 */
export const shownPlaces = (parts: Parts, values: () => Values): number[] | undefined => {
  if (!parts.some((part) => typeof part !== "string" && "section" in part)) return undefined;
  const isShown = sectionsOf(values());
  const places: number[] = [];
  let place = 0;
  for (const part of parts) {
    const shown = isShown(part);
    for (const _ of literalOf(part).matchAll(ANCHOR)) {
      place += 1;
      if (shown) places.push(place);
    }
  }
  return places;
};

/** Invisible open-tracking picture, without text for screen readers. */
export const pictureOf = (address: string): string =>
  `<img src="${address}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0;">\n`;
