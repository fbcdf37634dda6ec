import type { Values } from "../lmx/fill.ts";
import { systemLinks } from "../lmx/language/variables.ts";
import { type Footer, type FooterTexts, footerOf } from "./footer.ts";
import { cleanLinks } from "./links.ts";

export type Body = { html: string; text: string };

/** Replaces recipient links if another person views a mail. */
export const NO_LINK = "#";

/** Values of the recipient's links in a mail that another person views. */
export const noLinks: Values = Object.fromEntries(systemLinks.map((link) => [link, NO_LINK]));

/** Adds a footer and a tracking image to a mail. */
export const withFooter = ({ html, text }: Body, footer: Footer, picture = ""): Body => {
  const end = footerOf(html, footer);
  const at = html.lastIndexOf("</body>");
  const before = at === -1 ? html.length : at;
  return { html: html.slice(0, before) + end.html + picture + html.slice(before), text: text + end.text };
};

/** Builds a body without tracking or recipient links. `footer` is for marketing mail. */
export const plainBody = ({ html, text }: Body, footer: FooterTexts | undefined): Body => {
  const body = { html: cleanLinks(html), text };
  return footer ? withFooter(body, { ...footer, unsubscribeUrl: NO_LINK, preferencesUrl: NO_LINK }) : body;
};
