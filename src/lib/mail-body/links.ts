import { UNTRACKED } from "../lmx/language/links.ts";

/** An address in the tag of a link, or of a button of Outlook. The compiler writes these tags, so that no value ends one. */
export const LINK = new RegExp(`(<(?:a|v:roundrect)\\b[^>]*? href=")([^"]*)"((?:${UNTRACKED})?)`, "g");

/** Removes what the compiler wrote for links with `notrack`. */
export const cleanLinks = (html: string): string =>
  html.includes(UNTRACKED) ? html.replace(LINK, (_, before: string, escaped: string) => `${before}${escaped}"`) : html;
