import { escapeHtml } from "../lmx/draw/escape.ts";

/** Link words by language, as on the pages that they lead to; English is the fallback. */
export const footerWords: Readonly<Record<string, readonly [unsubscribe: string, preferences: string]>> = {
  en: ["Unsubscribe", "Email preferences"],
  de: ["Abmelden", "E-Mail-Einstellungen"],
  nl: ["Afmelden", "E-mailvoorkeuren"],
  sv: ["Avsluta prenumerationen", "E-postinställningar"],
  da: ["Afmeld", "E-mailindstillinger"],
  nb: ["Meld meg av", "E-postinnstillinger"],
  fr: ["Se désabonner", "Préférences e-mail"],
  es: ["Cancelar la suscripción", "Preferencias de correo"],
  pt: ["Cancelar a inscrição", "Preferências de e-mail"],
  it: ["Annulla l’iscrizione", "Preferenze email"],
  ro: ["Dezabonare", "Preferințe de e-mail"],
  pl: ["Zrezygnuj z subskrypcji", "Ustawienia e-mail"],
  cs: ["Odhlásit odběr", "Nastavení e-mailů"],
  uk: ["Скасувати підписку", "Налаштування розсилок"],
  ru: ["Отменить подписку", "Настройки рассылок"],
  fi: ["Peruuta tilaus", "Sähköpostiasetukset"],
  hu: ["Leiratkozás", "E-mail-beállítások"],
  el: ["Κατάργηση εγγραφής", "Προτιμήσεις email"],
  tr: ["Abonelikten çık", "E-posta tercihleri"],
  ar: ["إلغاء الاشتراك", "تفضيلات البريد الإلكتروني"],
  he: ["ביטול ההרשמה", "העדפות דוא״ל"],
  ja: ["配信を停止する", "メール設定"],
  ko: ["구독 취소", "이메일 설정"],
  zh: ["退订", "邮件偏好设置"],
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
  return footerWords[language.toLowerCase()] ?? (footerWords.en as (typeof footerWords)[string]);
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
