import { fontStack } from "../language/theme.ts";
import { isElement, type MarkupNode } from "../parse/tree.ts";
import { css, px } from "./css.ts";
import { table } from "./frame.ts";
import { lineToHtml, type Parts, type Piece } from "./parts.ts";
import { drawRows } from "./rows.ts";
import { themeOf } from "./values.ts";

/** Fields of a message outside its document: one-line texts from `compileLine`, and a BCP 47 language tag. */
export type MessageFields = { subject?: Parts; preview?: Parts; lang?: string };

/** Width of a mail, in px: it fits the reading pane of desktop clients. */
const WIDTH = 600;

/** Clients that ignore media rules (Outlook on Windows, some webmail) show columns side by side, which is fine too. */
const SMALL_SCREEN = [
  "@media (max-width:620px){",
  ".outer{padding:16px 8px!important}.inner{padding:28px 20px!important}",
  ".column,.gap{display:block!important;width:100%!important;box-sizing:border-box!important}",
  ".gap{height:16px!important}",
  ".reverse{display:flex!important;flex-direction:column-reverse!important}",
  "}",
].join("");

const HEAD = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="color-scheme" content="light">',
  '<meta name="supported-color-schemes" content="light">',
  '<meta name="x-apple-disable-message-reformatting">',
  '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">',
].join("\n");

/** Outlook on Windows does not support max-width, so it gets an outer table of fixed width. */
const OUTLOOK = {
  open: `<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->`,
  close: "<!--[if mso]></td></tr></table><![endif]-->",
};

/** The line that inboxes show after the subject. The blanks keep the first words of the body out of it. */
const preheader = (preview: Parts): Piece => [
  '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;" aria-hidden="true">',
  lineToHtml(preview),
  "&#847;&zwnj;&nbsp;".repeat(80),
  "</div>\n",
];

/** The complete HTML document of a checked tree. */
export const drawDocument = (
  nodes: readonly MarkupNode[],
  { subject = [], preview = [], lang }: MessageFields,
): Piece => {
  const theme = themeOf(nodes.filter(isElement).find((node) => node.tag === "Style"));
  const language = lang !== undefined && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(lang) ? lang : "en";
  const page = css({
    margin: "0",
    padding: "0",
    "background-color": theme.backgroundColor,
    "-webkit-text-size-adjust": "100%",
  });
  const body = css({
    "max-width": `${WIDTH}px`,
    margin: "0 auto",
    "background-color": theme.bodyColor,
    border: theme.borderWidth > 0 ? `${theme.borderWidth}px solid ${theme.borderColor}` : "",
    "border-radius": px(theme.borderRadius),
    "border-collapse": "separate",
  });
  const inner = css({
    padding: `${theme.bodyYPadding}px ${theme.bodyXPadding}px`,
    "font-family": fontStack(theme),
    "font-size": px(theme.textBaseFontSize),
    color: theme.textBaseColor,
    "text-align": "left",
    // A sign-in link is one word of 200 letters. It must not widen the mail.
    "word-break": "break-word",
  });
  const width = WIDTH - 2 * (theme.bodyXPadding + theme.borderWidth);
  const content = table(` width="100%" bgcolor="${theme.bodyColor}" style="${body}"`, [
    `<tr><td class="inner" style="${inner}">\n`,
    table(' width="100%"', drawRows(nodes, { theme, width })),
    "\n</td></tr>",
  ]);
  const outer = `padding:${theme.backgroundYPadding}px ${theme.backgroundXPadding}px;`;
  return [
    `<!doctype html>\n<html lang="${language}">\n<head>\n${HEAD}\n<title>`,
    subject.length > 0 ? lineToHtml(subject) : "Message",
    `</title>\n<style>${SMALL_SCREEN}</style>\n</head>\n<body style="${page}">\n`,
    preview.length > 0 ? preheader(preview) : "",
    table(` width="100%" bgcolor="${theme.backgroundColor}"`, [
      `<tr><td class="outer" align="center" style="${outer}">\n${OUTLOOK.open}\n`,
      content,
      `\n${OUTLOOK.close}\n</td></tr>`,
    ]),
    "\n</body>\n</html>\n",
  ];
};
