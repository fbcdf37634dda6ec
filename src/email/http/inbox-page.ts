import { html, raw } from "hono/html";
import { isoOf } from "../../lib/util/dates.ts";
import type { CapturedMail, InboxPage } from "../types/inbox-rpc.ts";

// Templates of hono/html escape every value, except `raw`.
const style = raw(`
  :root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 14%, Canvas); --soft: color-mix(in srgb, CanvasText 62%, Canvas);
    --tint: color-mix(in srgb, CanvasText 4%, Canvas); --accent: light-dark(#4338ca, #a5b4fc) }
  * { box-sizing: border-box }
  body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; font: 16px/1.5 system-ui, sans-serif }
  h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere }
  h2 { font-size: .8rem; margin: 2rem 0 .5rem; color: var(--soft); text-transform: uppercase; letter-spacing: .06em }
  a { color: var(--accent) } p { margin: 0; color: var(--soft) }
  ol { list-style: none; margin: 1.5rem 0 0; padding: 0; border-top: 1px solid var(--line) }
  li a { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .7rem .5rem; color: inherit;
    text-decoration: none; border-bottom: 1px solid var(--line) }
  li a:hover, li a:focus-visible { background: var(--tint) }
  li strong, li span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  li span, time { color: var(--soft); font-size: .875rem } li .team { text-align: right }
  table { border-collapse: collapse; width: 100%; font-size: .875rem }
  th { text-align: left; vertical-align: top; font-weight: 500; color: var(--soft); padding: .2rem 1.25rem .2rem 0; white-space: nowrap }
  td { padding: .2rem 0; overflow-wrap: anywhere }
  iframe { display: block; width: 100%; height: 70vh; min-height: 24rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff }
  pre { margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem }
  .empty { padding: 4rem 1rem; text-align: center; border: 1px dashed var(--line); border-radius: .5rem; margin-top: 1.5rem }`);

type Markup = ReturnType<typeof html>;

const page = (title: string, body: Markup): Markup => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body>${body}</body>
</html>`;

/** The page has no script for local time, so it uses UTC. */
const time = (at: number): Markup => {
  const iso = isoOf(at);
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
};

/** The list, newest first. `older` is the next page. */
export const listPage = ({ mails, total }: InboxPage, older: string | undefined): Markup => {
  const rows = mails.map(
    ({ id, team, from, to, subject, at }) => html`
  <li><a href="/inbox/${encodeURIComponent(id)}"><strong>${subject || "(no subject)"}</strong>${time(at)}<span>${from} → ${to}</span><span class="team">${team}</span></a></li>`,
  );
  const list =
    mails.length === 0
      ? html`<p class="empty">No mail yet. What your teams send appears here.</p>`
      : html`<ol>${rows}</ol>`;
  return page(
    `Inbox (${total})`,
    html`<h1>Inbox</h1>
<p>${total === 1 ? "1 mail" : `${total} mails`}, captured here. Nothing was sent to anyone. <a href="/inbox.json">JSON</a></p>
${list}
${older === undefined ? "" : html`<p style="margin-top:1.5rem"><a href="${older}">Older</a></p>`}`,
  );
};

/** One mail, in a sandboxed frame without scripts, forms or navigation. */
export const mailPage = (mail: CapturedMail): Markup => {
  const row = (name: string, value: string) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>
`;
  const headers = Object.entries(mail.headers).map(([name, value]) => row(name, value));
  const attachments = mail.attachments.map(({ filename, contentType, size }) =>
    row(filename, `${contentType}, ${size.toLocaleString("en")} bytes`),
  );
  return page(
    mail.subject || "(no subject)",
    html`<p style="margin-bottom:1rem"><a href="/inbox">← Inbox</a></p>
<h1>${mail.subject || "(no subject)"}</h1>
<p>${mail.from} → ${mail.to} · ${mail.team} · ${time(mail.at)} · <a href="/inbox/${encodeURIComponent(mail.id)}.json">JSON</a></p>
<h2>HTML</h2>
<iframe sandbox title="The mail as HTML" srcdoc="${mail.html}"></iframe>
<h2>Text</h2>
<pre>${linked(mail.text)}</pre>
${
  attachments.length === 0
    ? ""
    : html`<h2>Attachments</h2>
<table><tbody>
${attachments}</tbody></table>
`
}<h2>Headers</h2>
<table><tbody>
${headers}${mail.bcc.length === 0 ? "" : row("Bcc (not in the message)", mail.bcc.join(", "))}</tbody></table>`,
  );
};

/** The sandboxed frame opens no links, but sign-in links must work. */
const linked = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, i) =>
      i % 2 === 0 ? part : html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`,
    );
