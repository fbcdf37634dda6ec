import { escapeHtml } from "../lmx/draw/escape.ts";

/** Link words by language; English is the fallback. */
const WORDS: Readonly<Record<string, readonly [unsubscribe: string, preferences: string]>> = {
  en: ["Unsubscribe", "Email preferences"],
  de: ["Abmelden", "E-Mail-Einstellungen"],
  fr: ["Se désabonner", "Préférences e-mail"],
  es: ["Cancelar la suscripción", "Preferencias de correo"],
  ar: ["إلغاء الاشتراك", "تفضيلات البريد الإلكتروني"],
};

/** Contrast 4.5:1 on white and on black. */
const COLOR = "#767676";
const LINK_STYLE = `color:${COLOR};text-decoration:underline;`;

export type FooterTexts = {
  team: string;
  footer?: string | null | undefined;
  postalAddress?: string | null | undefined;
};

/** The footer of one mail, with recipient links. */
export type Footer = FooterTexts & { unsubscribeUrl: string; preferencesUrl: string };

const wordsFor = (html: string) => {
  const [, language = "en"] = /<html\b[^>]* lang="([A-Za-z]{2,3})[-"]/.exec(html) ?? [];
  return WORDS[language.toLowerCase()] ?? (WORDS.en as (typeof WORDS)[string]);
};

const linesOf = ({ team, footer, postalAddress }: Footer): string[] => [
  ...(footer?.split("\n") ?? []),
  team,
  ...(postalAddress?.split("\n") ?? []),
];

/** Builds the footer of marketing mail. `html` determines the language. */
export const footerOf = (html: string, footer: Footer): { html: string; text: string } => {
  const [unsubscribe, preferences] = wordsFor(html);
  const link = (url: string, words: string) => `<a href="${url}" target="_blank" style="${LINK_STYLE}">${words}</a>`;
  const lines = linesOf(footer);
  const links = `${link(footer.unsubscribeUrl, unsubscribe)} &middot; ${link(footer.preferencesUrl, preferences)}`;
  const cell = `padding:24px 16px;font-family:Arial,sans-serif;font-size:12px;line-height:18px;color:${COLOR};`;
  return {
    html:
      '<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"><tbody>' +
      `<tr><td align="center" style="${cell}">${lines.map(escapeHtml).join("<br>")}<br>${links}</td></tr></tbody></table>\n`,
    text: `\n${lines.join("\n")}\n${unsubscribe}: ${footer.unsubscribeUrl}\n${preferences}: ${footer.preferencesUrl}\n`,
  };
};
