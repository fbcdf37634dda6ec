import { fontStack, type Theme } from "../language/theme.ts";
import type { Parts, Piece } from "./parts.ts";

/** Pixels, for the reading pane of desktop clients. */
export const WIDTH = 600;

/** Outlook on Windows and some webmail ignore media rules. */
const SMALL_SCREEN = [
  "@media (max-width:620px){",
  ".outer{padding:16px 8px!important}.inner{padding:28px 20px!important}",
  ".column,.gap{display:block!important;width:100%!important;box-sizing:border-box!important}",
  ".gap{height:16px!important}",
  ".reverse{display:flex!important;flex-direction:column-reverse!important}",
  "}",
].join("");

const META = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="x-apple-disable-message-reformatting">',
  '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">',
].join("\n");

/** Clients recolor mail that supports light mode alone. */
const schemeMeta = (schemes: string): string =>
  `<meta name="color-scheme" content="${schemes}">\n<meta name="supported-color-schemes" content="${schemes}">\n`;

/** Outlook on Windows needs image sizes for dense screens, and replaces unknown first fonts with Times New Roman. */
const outlookHead = (theme: Theme | undefined): string => {
  const office = '<noscript><xml xmlns:o="urn:schemas-microsoft-com:office:office"><o:OfficeDocumentSettings>';
  const settings = `${office}<o:AllowPNG></o:AllowPNG><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>`;
  if (theme === undefined) return `<!--[if mso]>${settings}<![endif]-->\n`;
  const fonts: Readonly<Record<string, string>> = { serif: "Georgia, serif", monospace: "Consolas, monospace" };
  const font = fonts[theme.bodyFontCategory] ?? "Arial, sans-serif";
  const known = fontStack(theme).startsWith("-apple-system") ? "'Segoe UI', Arial, sans-serif" : font;
  const rules = `table{border-collapse:collapse}td,h1,h2,h3,p,a,li,blockquote,center{font-family:${known}!important}`;
  return `<!--[if mso]>${settings}<style>${rules}</style><![endif]-->\n`;
};

/** Builds the head. `dark` contains dark-mode rules or nothing. */
export const head = (language: string, direction: string, title: Piece, dark: string, theme?: Theme): Piece => [
  `<!doctype html>\n<html lang="${language}" dir="${direction}">\n<head>\n${META}\n`,
  schemeMeta(dark === "" && theme !== undefined ? "light" : "light dark"),
  "<title>",
  title,
  "</title>\n",
  theme === undefined ? "" : `<style>${SMALL_SCREEN}</style>\n`,
  dark,
  outlookHead(theme),
  "</head>\n",
];

/** Adds preview text; blanks keep body text out of it. */
export const preheader = (preview: Piece): Piece => [
  '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;" aria-hidden="true">',
  preview,
  "&#847;&zwnj;&nbsp;".repeat(80),
  "</div>\n",
];

export type Shown = { subject: Parts; preview: Parts; language: string; direction: "ltr" | "rtl" };

/** Wraps the body in an article, because webmail removes attributes of `html` and `body`. */
export const article = ({ language, direction }: Shown, title: Piece, inner: Piece): Piece => [
  `<div role="article" aria-roledescription="email" lang="${language}" dir="${direction}" aria-label="`,
  title,
  '">\n',
  inner,
  "\n</div>",
];
