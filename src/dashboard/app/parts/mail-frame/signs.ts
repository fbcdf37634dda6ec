/** A sign on a link. `place`: of the link among all links of the mail, 1 for the first. */
export type Sign = { place: number; text: string };

const LOOK =
  "position:absolute;z-index:9;right:-14px;top:-18px;padding:3px 10px;border-radius:14px;background:#0f1a1d;color:#ffffff;font:600 20px/24px Arial,sans-serif;letter-spacing:0;white-space:nowrap";

/** Comments have the links of Outlook's buttons, which are no links of the mail. */
const COMMENT_OR_LINK = /<!--[\s\S]*?-->|<a(?=\s)(?:"[^"]*"|[^">])*\shref=(?:"[^"]*"|[^">])*>/gi;

/** Draws signs on links of a compiled mail. */
export const withSigns = (html: string, signs: readonly Sign[]): string => {
  let place = 0;
  return html.replaceAll(COMMENT_OR_LINK, (found) => {
    if (found.startsWith("<!--")) return found;
    place += 1;
    const sign = signs.find((one) => one.place === place);
    if (sign === undefined) return found;
    const link = found.includes(' style="')
      ? found.replace(' style="', ' style="position:relative;')
      : found.replace(/^<a/i, '<a style="position:relative"');
    return `${link}<span style="${LOOK}">${sign.text}</span>`;
  });
};
