import { html } from "hono/html";
import type { Built } from "./build.ts";
import { excerptOf, type Finding } from "./frames.ts";
import type { Mail, Value } from "./mail.ts";
import type { Scheme } from "./scheme.ts";

export type Markup = ReturnType<typeof html>;

type Panel = { id: string; title: string; body: Markup };

/** Gmail cuts a message off after about 102 KB of HTML. */
const GMAIL_KB = 102;
/** The mail is 600 px wide; up to 620 px it uses the small-screen layout. */
const DESKTOP = 680;
const MOBILE = 375;
const LOOK = { width: 110, color: false };

export const panelsOf = (built: Built): Panel[] => {
  const { mail, findings, source, path } = built;
  const checks = { id: "checks", title: `Checks (${findings.length})`, body: findingList(built) };
  const lmx = source === "" ? [] : [{ id: "lmx", title: "LMX", body: sourceLines(source, linesOf(findings, path)) }];
  if (mail === undefined) return [checks, ...lmx];
  return [
    { id: "desktop", title: "Desktop", body: panes(DESKTOP) },
    { id: "mobile", title: "Mobile", body: panes(MOBILE) },
    { id: "text", title: "Text", body: html`<pre class="wrapped" tabindex="0">${linked(mail.text)}</pre>` },
    { id: "html", title: "HTML", body: html`<pre tabindex="0">${mail.html}</pre>` },
    { id: "values", title: `Values (${mail.values.length})`, body: valueTable(mail.values) },
    checks,
    ...lmx,
  ];
};

export const inboxLine = ({
  from,
  subject,
  preview,
}: Mail): Markup => html`<div class="inbox" role="group" aria-label="In an inbox">
<p>${from || "(no sender)"}</p><p><strong>${subject || "(no subject)"}</strong> <span class="soft">${preview || "(no preview text)"}</span></p>
</div>`;

export const size = ({ bytes }: Mail): Markup => {
  const kb = (bytes / 1024).toFixed(1);
  const isCut = bytes > GMAIL_KB * 1024;
  return html`<span class="${isCut ? "error" : "soft"}">${kb} KB of HTML (Gmail cuts a mail off at ${GMAIL_KB} KB)</span>`;
};

const panes = (width: number): Markup =>
  html`<div class="panes">${(["light", "dark"] as const).map((scheme) => pane(width, scheme))}</div>`;

/** The frame allows no scripts, forms or new windows and has a separate origin. */
const pane = (width: number, scheme: Scheme): Markup => html`
<div><h3>${width === DESKTOP ? "Mail of 600 px" : `Screen of ${width} px`}, ${scheme} mode</h3>
<iframe sandbox src="/mail/${scheme}.html" width="${width + 2}" height="760" title="The mail on a screen of ${width} px, ${scheme} mode"></iframe></div>`;

/** The frames open no links. */
const linked = (text: string): (string | Markup)[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, i) =>
      i % 2 === 0 ? part : html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`,
    );

const FROM: Readonly<Record<Value["from"], string>> = {
  option: "the command line",
  sample: "sample value of the file",
  fallback: "fallback of the file",
  service: "made by the email service for each person",
  nothing: "no value: a send without it is refused",
};

const valueTable = (values: readonly Value[]): Markup => {
  if (values.length === 0) return html`<p>The mail has no variables.</p>`;
  const rows = values.map(
    ({ name, value, from }) => html`
<tr><th scope="row"><code>${name}</code></th><td>${value ?? html`<strong class="error">missing</strong>`}</td><td class="soft">${FROM[from]}</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">Variable</th><th scope="col">Value</th><th scope="col">From</th></tr></thead><tbody>${rows}</tbody></table>`;
};

const findingList = (built: Built): Markup => {
  if (built.findings.length === 0) return html`<p class="good">No problems found.</p>`;
  return html`<ul class="findings">${built.findings.map((finding) => findingItem(finding, built))}</ul>`;
};

const findingItem = (finding: Finding, { path: own }: Built): Markup => {
  const { severity, code, message, fix, path, line, column, usedAt } = finding;
  const excerpt = excerptOf(finding, LOOK).join("\n");
  const at = html`${path}:${line}:${column}`;
  const used =
    usedAt === undefined ? "" : html`, used at <a href="#line-${usedAt.line}">${usedAt.path}:${usedAt.line}</a>`;
  return html`
<li><strong class="${severity}">${severity} <code>${code}</code></strong> ${message}${fix === undefined ? "" : html`: <strong>${fix}</strong>`}<br>
${path === own ? html`<a href="#line-${line}">${at}</a>` : at}${used}
${excerpt === "" ? "" : html`<pre tabindex="0">${excerpt}</pre>`}</li>`;
};

const linesOf = (findings: readonly Finding[], path: string): Set<number> =>
  new Set(
    findings.flatMap(({ usedAt, ...at }) =>
      [at, usedAt].flatMap((position) => (position?.path === path ? [position.line] : [])),
    ),
  );

const sourceLines = (source: string, marked: ReadonlySet<number>): Markup => {
  const lines = source.split(/\r?\n/).map((line, i) => {
    const mark = marked.has(i + 1) ? " class=marked" : "";
    return html`<span id="line-${i + 1}"${mark}><span class="number">${i + 1}</span>${line}
</span>`;
  });
  return html`<pre tabindex="0">${lines}</pre>`;
};
