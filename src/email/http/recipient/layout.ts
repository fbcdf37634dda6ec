import { html, raw } from "hono/html";
import { digestBytes, toBase64 } from "../../../lib/util/hmac.ts";
import type { SenderView } from "../../types/recipient.ts";
import { TOKENS } from "../face.ts";
import { brandColors } from "./brand.ts";
import type { Language } from "./language.ts";
import { languages } from "./texts.ts";

export type Markup = ReturnType<typeof html>;

export type Names = { team?: string; list?: string | undefined };

/** `title`: that of the tab, if it is not the heading. `isDone`: a check mark stands above the heading. */
export type Content = {
  status?: 400 | 404 | 410 | 500 | 503;
  heading: Markup | string;
  title?: string;
  isDone?: boolean;
  sender?: SenderView;
  body: Markup | "";
};

/** `hasMenu`: the reader may choose another language. */
export type Shape = Language & { hasMenu: boolean };

const STYLE = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:56px 16px 32px;display:flex;flex-direction:column;align-items:center;font:15px/23px system-ui,sans-serif;overflow-wrap:anywhere;color:var(--ink);background:var(--canvas)}
main{width:100%;max-width:520px;padding:28px 32px;background:var(--surface);border:1px solid var(--line);border-radius:16px;box-shadow:0 4px 16px -4px rgb(0 0 0/.12)}
main.wide{max-width:760px}
h1{font-size:23px;line-height:30px;letter-spacing:-.02em;margin:0 0 6px}
h2{font-size:17px;line-height:24px;margin:0 0 8px}
section{margin-top:24px;padding-top:20px;border-top:1px solid var(--line)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:16px;margin:0 0 16px}
dl>.whole{grid-column:1/-1}
dt,.soft,small,footer{color:var(--ink-3)}
dt,small{font-size:14px;line-height:20px}
dd{margin:0 0 4px}
code{font:13px/20px ui-monospace,monospace;user-select:all}
p{margin:0 0 16px;color:var(--ink-2)}
small{display:block}
.soft,footer{font-size:13px;line-height:19px}
.team{display:flex;align-items:center;gap:10px;margin:0 0 20px;font-size:17px;font-weight:640;color:var(--ink)}
.team img{max-width:120px;height:32px;object-fit:contain;border-radius:9px}
.done{display:grid;place-items:center;width:44px;height:44px;margin-bottom:16px;border-radius:12px;color:var(--good);background:var(--good-soft)}
.done svg,.check{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
form{margin:20px 0 0;display:grid;gap:10px}
button,a.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:44px;padding:9px 20px;font:600 15px/22px system-ui,sans-serif;text-align:center;text-decoration:none;border:1px solid var(--field-line);border-radius:10px;cursor:pointer;background:var(--surface);color:var(--ink)}
button.main{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
button:hover,a.button:hover{border-color:var(--ink-2)}
form+a.button{margin-top:10px}
form+p{margin:16px 0 0}
ul{list-style:none;margin:0;padding:0}
.lists{margin-top:20px;border-bottom:1px solid var(--line)}
.lists li{display:flex;gap:14px;padding:16px 0;border-top:1px solid var(--line)}
.lists span{flex:1;min-width:0}
.lists form{margin:0;display:block}
button[role=switch]{flex:none;justify-content:flex-start;width:42px;height:25px;min-height:0;padding:2px;border:1px solid var(--field-line);border-radius:13px;background:var(--field-line)}
button[role=switch]::after{content:"";width:19px;height:19px;border-radius:50%;background:var(--surface)}
button[role=switch][aria-checked=true]{justify-content:flex-end;background:var(--brand);border-color:var(--brand)}
fieldset{min-width:0;margin:6px 0 0;padding:0;border:0}
legend{padding:0;margin-bottom:8px;font-size:14px;color:var(--ink-2)}
.chips{display:flex;flex-wrap:wrap;gap:8px}
.chips button{width:auto;min-height:34px;padding:5px 12px;font-size:14px;font-weight:400;border-radius:17px}
.note{padding:8px 12px;border-radius:8px;color:var(--good);background:var(--good-soft)}
a{color:var(--brand)}
footer{margin-top:18px;text-align:center;white-space:pre-line}
header{position:absolute;inset-block-start:14px;inset-inline-end:20px;z-index:1;font-size:13px;line-height:19px}
details{position:relative}
summary{padding:4px 8px;color:var(--ink-2);cursor:pointer}
details ul{position:absolute;inset-inline-end:0;width:min(300px,calc(100vw - 40px));padding:6px;columns:2;column-gap:0;background:var(--surface);border:1px solid var(--line-strong);border-radius:12px;box-shadow:0 8px 24px rgb(0 0 0/.18)}
details a{display:block;padding:5px 8px;border-radius:6px;text-decoration:none;color:var(--ink)}
details a:hover{background:var(--hover)}
details a[aria-current]{font-weight:600;background:var(--hover)}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
@media(forced-colors:active){button[role=switch]::after{background:ButtonText}}
@media(max-width:640px){body{padding:0;background:var(--surface)}main{padding:64px 20px 24px;border:0;border-radius:0;box-shadow:none}footer{padding:0 20px 24px}header{inset-inline-end:12px}}`;

const styleOf = (sender: SenderView | undefined): string => `:root{${TOKENS};${brandColors(sender?.color)}}${STYLE}`;

/** Inserts names, isolated because their text direction may differ. */
export const phrase = (text: string, names: Names): Markup =>
  html`${text.split(/(\{team\}|\{list\})/).map((part) => {
    if (part === "{team}") return html`<bdi>${names.team ?? ""}</bdi>`;
    return part === "{list}" ? html`<bdi>${names.list ?? ""}</bdi>` : part;
  })}`;

/** The menu has links, so that it works without scripts. They lead to this page. */
const languageMenu = ({ lang, texts }: Language): Markup =>
  html`<header><nav aria-label="${texts.language}"><details><summary>${texts.language}: ${texts.name}</summary><ul>
${Object.entries(languages).map(
  ([tag, { name, dir }]) =>
    html`<li><a href="?lang=${tag}" lang="${tag}" dir="${dir}" hreflang="${tag}"${tag === lang ? raw(' aria-current="true"') : ""}>${name}</a></li>
`,
)}</ul></details></nav></header>
`;

const senderLine = ({ name, postalAddress, writeTo }: SenderView, { texts }: Language): Markup => {
  const lines = [name, ...(postalAddress?.split("\n") ?? [])].join(", ");
  const link =
    writeTo === null
      ? ""
      : html`
<a href="mailto:${encodeURI(writeTo)}">${phrase(texts.writeTo, { team: name })}</a>`;
  return html`<footer dir="auto">${lines}${link}</footer>
`;
};

const DONE = raw(
  '<div class="done"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="m4.500 10.500 3.500 3.500 7.500-8"/></svg></div>\n',
);

/** Draws a page without scripts or cookies. Its only resource is the logo of the team, a picture of this Worker. */
export const draw = ({ heading, title, isDone, sender, body }: Content, shape: Shape): Markup => html`<!doctype html>
<html lang="${shape.lang}" dir="${shape.texts.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>${title ?? heading}${sender === undefined ? "" : ` · ${sender.name}`}</title>
<style>${raw(styleOf(sender))}</style>
</head>
<body>
${shape.hasMenu ? languageMenu(shape) : ""}<main${shape.hasMenu ? "" : raw(' class="wide"')}>
${
  sender === undefined
    ? ""
    : html`<p class="team">${sender.logo === null ? "" : html`<img src="${sender.logo}" alt="">`}<bdi>${sender.name}</bdi></p>
`
}${isDone ? DONE : ""}<h1>${heading}</h1>
${body}
</main>
${sender === undefined ? "" : senderLine(sender, shape)}</body>
</html>
`;

/** No script, no resource but the team's logo, and no referrer, because the link acts for its recipient. */
export const securityHeaders = async (sender?: SenderView): Promise<Record<string, string>> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${toBase64(await digestBytes(styleOf(sender)))}'`,
    ...(sender?.logo ? ["img-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
  "Cache-Control": "no-store",
});
