import { html, raw } from "hono/html";
import { inScheme } from "../../lib/mail-body/scheme.ts";
import { isoOf } from "../../lib/util/dates.ts";
import type { CapturedMail, InboxPage } from "../types/inbox-rpc.ts";
import { EMBLEM, TOKENS } from "./face.ts";

// Templates of hono/html escape every value, except `raw`.
const style = raw(`
  :root { ${TOKENS} }
  * { box-sizing: border-box }
  body { margin: 0; font: 14px/20px system-ui, sans-serif; color: var(--ink); background: var(--canvas); overflow-wrap: anywhere }
  header { display: flex; align-items: center; gap: 16px; height: 52px; padding: 0 24px }
  header a { color: var(--ink-2) } header .home { display: flex; align-items: center; gap: 9px; font-weight: 620; color: var(--ink); text-decoration: none }
  header nav { margin-inline-start: auto; display: flex; gap: 16px }
  main { max-width: 1216px; min-height: calc(100vh - 60px); margin: 0 auto 8px; padding: 24px 32px 48px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px }
  h1 { font-size: 24px; line-height: 32px; letter-spacing: -.022em; margin: 0 }
  h2 { font-size: 16px; line-height: 24px; margin: 28px 0 10px }
  p { margin: 4px 0 0; color: var(--ink-2) } a { color: var(--link) }
  ol { list-style: none; margin: 20px 0 0; padding: 0; border: 1px solid var(--line); border-radius: 12px }
  li + li { border-top: 1px solid var(--line) }
  li a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 16px; padding: 10px 16px; color: inherit; text-decoration: none }
  li a:hover { background: var(--hover) }
  li strong { font-weight: 560 }
  li strong, li span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  li span, li time, th { color: var(--ink-3); font-size: 12.5px } li .team { text-align: end }
  .views { display: flex; flex-wrap: wrap; gap: 8px 16px; margin: 20px 0 12px }
  .views ul { display: flex; margin: 0; padding: 2px; list-style: none; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px }
  .views li { border: 0 } .views li a { display: block; padding: 5px 12px; border-radius: 6px; color: var(--ink-2) }
  .views [aria-current] { background: var(--surface); color: var(--ink); font-weight: 600; box-shadow: 0 0 0 1px var(--line-strong) }
  .ground { padding: 16px; background: var(--sunken); border: 1px solid var(--line); border-radius: 12px }
  iframe { display: block; width: 100%; height: 75vh; min-height: 420px; margin: 0 auto; border: 1px solid var(--line); border-radius: 8px; background: #fff }
  iframe.phone { max-width: 375px } iframe.dark { background: #121212; color-scheme: dark }
  pre { margin: 0; padding: 16px; font: 12.5px/19px ui-monospace, monospace; white-space: pre-wrap; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px }
  table { border-collapse: collapse; width: 100%; font-size: 13.5px }
  th { text-align: start; vertical-align: top; font-weight: 400; padding: 5px 20px 5px 0; white-space: nowrap } td { padding: 5px 0 } tr + tr { border-top: 1px solid var(--line) }
  .empty { padding: 64px 16px; margin-top: 20px; text-align: center; border: 1px dashed var(--line-strong); border-radius: 12px }
  .empty strong { display: block; color: var(--ink) } .older { margin-top: 16px }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
  @media (max-width: 760px) { header { padding: 0 16px } main { padding: 16px 16px 32px; border-width: 1px 0 0; border-radius: 0 } .ground { padding: 0; border: 0 }
    li .team { display: none } li span { grid-column: 1 / -1 } th, td { display: block; padding: 0 } td { padding-bottom: 5px } }`);

type Markup = ReturnType<typeof html>;

/** Width and colors of the mail in its frame. */
export type MailView = { phone: boolean; dark: boolean };

const page = (title: string, dashboardUrl: string | undefined, body: Markup): Markup => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Mailspan</title>
<link rel="icon" href="/inbox/favicon.svg" type="image/svg+xml"><style>${style}</style></head>
<body><header><a class="home" href="/inbox">${EMBLEM}Inbox</a><nav aria-label="Elsewhere">${
  dashboardUrl === undefined ? "" : html`<a href="${dashboardUrl}">Dashboard</a>`
}<a href="/docs">API</a></nav></header>
<main>${body}</main></body>
</html>`;

/** The page has no script for local time, so it uses UTC. */
const time = (at: number): Markup => {
  const iso = isoOf(at);
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
};

/** The list, newest first. `older` is the next page. */
export const listPage = (
  { mails, total }: InboxPage,
  older: string | undefined,
  dashboardUrl: string | undefined,
): Markup => {
  const rows = mails.map(
    ({ id, team, from, to, subject, at }) => html`
  <li><a href="/inbox/${encodeURIComponent(id)}"><strong>${subject || "(no subject)"}</strong>${time(at)}<span>${from} → ${to}</span><span class="team">${team}</span></a></li>`,
  );
  const list =
    mails.length === 0
      ? html`<p class="empty"><strong>No mail yet</strong>What your teams send appears here.</p>`
      : html`<ol>${rows}</ol>`;
  return page(
    `Inbox (${total})`,
    dashboardUrl,
    html`<h1>Inbox</h1>
<p>${total === 1 ? "1 mail" : `${total.toLocaleString("en")} mails`}, captured here. Nothing was sent to anyone. <a href="/inbox.json">JSON</a></p>
${list}
${older === undefined ? "" : html`<p class="older"><a href="${older}">Older</a></p>`}`,
  );
};

const switchOf = (name: string, choices: readonly (readonly [label: string, href: string, isChosen: boolean])[]) =>
  html`<ul aria-label="${name}">${choices.map(
    ([label, href, isChosen]) =>
      html`<li><a href="${href}"${isChosen ? raw(' aria-current="true"') : ""}>${label}</a></li>`,
  )}</ul>`;

const viewSwitches = (path: string, view: MailView): Markup => {
  const to = (changes: Partial<MailView>): string => {
    const { phone, dark } = { ...view, ...changes };
    const query = new URLSearchParams({ ...(phone ? { phone: "1" } : {}), ...(dark ? { dark: "1" } : {}) });
    return query.size === 0 ? path : `${path}?${query}`;
  };
  return html`<nav class="views" aria-label="View of the mail">${switchOf("Width", [
    ["Desktop", to({ phone: false }), !view.phone],
    ["Phone", to({ phone: true }), view.phone],
  ])}${switchOf("Colors", [
    ["Light", to({ dark: false }), !view.dark],
    ["Dark", to({ dark: true }), view.dark],
  ])}</nav>`;
};

/** One mail, in a sandboxed frame without scripts, forms or navigation. */
export const mailPage = (mail: CapturedMail, view: MailView, dashboardUrl: string | undefined): Markup => {
  const row = (name: string, value: string) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>
`;
  const headers = Object.entries(mail.headers).map(([name, value]) => row(name, value));
  const attachments = mail.attachments.map(({ filename, contentType, size }) =>
    row(filename, `${contentType}, ${size.toLocaleString("en")} bytes`),
  );
  const path = `/inbox/${encodeURIComponent(mail.id)}`;
  const look = [view.phone ? "phone" : "", view.dark ? "dark" : ""].filter(Boolean).join(" ");
  return page(
    mail.subject || "(no subject)",
    dashboardUrl,
    html`<h1>${mail.subject || "(no subject)"}</h1>
<p>${mail.from} → ${mail.to} · ${mail.team} · ${time(mail.at)} · <a href="${path}.json">JSON</a></p>
${viewSwitches(path, view)}
<div class="ground"><iframe sandbox title="The mail as HTML"${look === "" ? "" : html` class="${look}"`} srcdoc="${inScheme(mail.html, view.dark)}"></iframe></div>
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
