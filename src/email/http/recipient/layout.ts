import { html, raw } from "hono/html";
import { digestBytes, toBase64 } from "../../../lib/util/hmac.ts";
import type { Texts } from "./texts.ts";

export type Markup = ReturnType<typeof html>;

export type Names = { team?: string; list?: string | undefined };

export type Content = { status?: 400 | 404 | 410 | 500 | 503; heading: string; team?: string; body: Markup | "" };

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#c4c8d0,#4b5160);--soft:light-dark(#4b5563,#b6bcc8);--accent:light-dark(#1d4ed8,#93b4ff);--on-accent:light-dark(#fff,#0b1220)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:34rem;padding:clamp(2rem,10vh,6rem) 1.25rem 3rem;font:1.0625rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere;color:light-dark(#111827,#f3f4f6);background:light-dark(#fff,#111318)}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 1rem}
h2{font-size:1.15rem;margin:0 0 .5rem}
section{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1rem;margin:0 0 1rem}
dl>.whole{grid-column:1/-1}
dt{color:var(--soft);font-size:.9375rem}
dd{margin:0 0 .25rem}
code{font:.9375rem/1.45 ui-monospace,monospace;user-select:all}
p{margin:0 0 1rem}
.team{margin:0;font-weight:600;color:var(--soft)}
.soft{color:var(--soft);font-size:.9375rem}
form{margin:1.5rem 0;display:flex;flex-wrap:wrap;gap:.75rem}
fieldset{flex-basis:100%;min-width:0;margin:0;padding:0;border:0}
legend{padding:0;margin-bottom:.5rem}
label{display:flex;gap:.75rem;padding:.75rem 0;border-top:1px solid var(--line)}
small{color:var(--soft);font-size:.9375rem;display:block}
input{flex:none;width:1.25rem;height:1.25rem;margin:.15rem 0 0;accent-color:var(--accent)}
button{font:inherit;font-weight:600;padding:.6rem 1.1rem;border:1px solid var(--accent);border-radius:.5rem;cursor:pointer;background:transparent;color:var(--accent)}
button.main{background:var(--accent);color:var(--on-accent)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

/** Inserts names, isolated because their text direction may differ. */
export const phrase = (text: string, names: Names): Markup =>
  html`${text.split(/(\{team\}|\{list\})/).map((part) => {
    if (part === "{team}") return html`<bdi>${names.team ?? ""}</bdi>`;
    return part === "{list}" ? html`<bdi>${names.list ?? ""}</bdi>` : part;
  })}`;

/** Draws a page without scripts, resources or cookies. */
export const draw = ({ heading, team, body }: Content, lang: string, { dir }: Texts): Markup => html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>${team === undefined ? heading : `${heading} · ${team}`}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${team === undefined ? "" : html`<p class="team" dir="auto">${team}</p>`}
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`;

/** No script, resource or referrer, because the link acts for its recipient. */
export const securityHeaders = async (): Promise<Record<string, string>> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${toBase64(await digestBytes(STYLE))}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
  "Cache-Control": "no-store",
});
