import { UNTRACKED } from "../lmx/language/links.ts";

/** Matches the address of a link or an Outlook button in compiled HTML. */
export const LINK = new RegExp(`(<(?:a|v:roundrect)\\b[^>]*? href=")([^"]*)"((?:${UNTRACKED})?)`, "g");

/** Removes compiler marks of `notrack` links. */
export const cleanLinks = (html: string): string =>
  html.includes(UNTRACKED) ? html.replace(LINK, (_, before: string, escaped: string) => `${before}${escaped}"`) : html;
