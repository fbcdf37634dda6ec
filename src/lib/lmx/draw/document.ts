import { fontStack, type Theme } from "../language/theme.ts";
import type { MarkupNode } from "../parse/tree.ts";
import { drawRows } from "./blocks/rows.ts";
import { css, px } from "./css.ts";
import { classes, darkRules } from "./dark.ts";
import { type Frame, table } from "./frame.ts";
import { article, head, preheader, type Shown, WIDTH } from "./head.ts";
import { type Drawn, flatten, flattenMail, lineToHtml, type Piece } from "./parts.ts";

/** Outlook on Windows does not support max-width, so it gets a fixed-width outer table. */
const OUTLOOK = {
  open: `<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0"><tbody><tr><td><![endif]-->`,
  close: "<!--[if mso]></td></tr></tbody></table><![endif]-->",
};

const drawPage = (nodes: readonly MarkupNode[], frame: Frame): Piece => {
  const { theme, start } = frame;
  const border = theme.borderWidth > 0 ? theme.borderColor : undefined;
  const body = css({
    "max-width": `${WIDTH}px`,
    margin: "0 auto",
    "background-color": theme.bodyColor,
    border: border === undefined ? "" : `${theme.borderWidth}px solid ${border}`,
    "border-radius": px(theme.borderRadius),
    "border-collapse": "separate",
  });
  const inner = css({
    padding: `${theme.bodyYPadding}px ${theme.bodyXPadding}px`,
    "font-family": fontStack(theme),
    "font-size": px(theme.textBaseFontSize),
    color: theme.textBaseColor,
    "text-align": start,
    // A sign-in link of 200 letters must not widen the mail.
    "word-break": "break-word",
  });
  const named = classes({ back: theme.bodyColor, line: border });
  const content = table(` width="100%"${named} bgcolor="${theme.bodyColor}" style="${body}"`, [
    `<tr><td${classes({ text: theme.textBaseColor }, "inner")} style="${inner}">\n`,
    table(' width="100%"', drawRows(nodes, frame)),
    "\n</td></tr>",
  ]);
  const outer = `padding:${theme.backgroundYPadding}px ${theme.backgroundXPadding}px;`;
  return table(` width="100%"${classes({ back: theme.backgroundColor })} bgcolor="${theme.backgroundColor}"`, [
    `<tr><td class="outer" align="center" style="${outer}">\n${OUTLOOK.open}\n`,
    content,
    `\n${OUTLOOK.close}\n</td></tr>`,
  ]);
};

/** Draws a checked tree as complete HTML. */
export const drawDocument = (nodes: readonly MarkupNode[], shown: Shown, theme: Theme): Drawn => {
  const title = shown.subject.length > 0 ? lineToHtml(shown.subject) : "Message";
  const width = WIDTH - 2 * (theme.bodyXPadding + theme.borderWidth);
  const start = shown.direction === "rtl" ? "right" : "left";
  const page = flattenMail(drawPage(nodes, { theme, width, start }));
  if (page.beyond !== undefined) return page;
  const color = theme.backgroundColor;
  const style = css({
    margin: "0",
    padding: "0",
    "background-color": color,
    "-webkit-text-size-adjust": "100%",
  });
  const body = flatten([
    `<body${classes({ back: color })} style="${style}">\n`,
    shown.preview.length > 0 ? preheader(lineToHtml(shown.preview)) : "",
    article(shown, title, page.parts),
    "\n</body>\n</html>\n",
  ]);
  return { parts: flatten([head(shown.language, shown.direction, title, darkRules(body), theme), body]) };
};
