import { type Footer, type FooterTexts, footerOf } from "./footer.ts";
import { cleanLinks } from "./links.ts";

/** The content of a mail in both its forms. */
export type Body = { html: string; text: string };

/** Stands for a link of the recipient alone where a mail is looked at by another person. It leads nowhere. */
export const NO_LINK = "#";

/** Adds a footer at the end of a mail, and behind it a picture that tracks. */
export const withFooter = ({ html, text }: Body, footer: Footer, picture = ""): Body => {
  const end = footerOf(html, footer);
  const at = html.lastIndexOf("</body>");
  const before = at === -1 ? html.length : at;
  return { html: html.slice(0, before) + end.html + picture + html.slice(before), text: text + end.text };
};

/**
 * A filled message without tracking and without links of a recipient: a transactional email, or marketing mail for a person who looks at
 * it. `footer`: of marketing mail.
 */
export const plainBody = ({ html, text }: Body, footer: FooterTexts | undefined): Body => {
  const body = { html: cleanLinks(html), text };
  return footer ? withFooter(body, { ...footer, unsubscribeUrl: NO_LINK, preferencesUrl: NO_LINK }) : body;
};
