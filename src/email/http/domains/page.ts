import { html } from "hono/html";
import { minuteInWords } from "../../../lib/util/dates.ts";
import type { SharedDomain, SharedRecord } from "../../types/shared-domain.ts";
import type { Content, Markup } from "../recipient/layout.ts";

const STATES: Readonly<Record<SharedRecord["status"], string>> = {
  right: "ok",
  missing: "missing",
  wrong: "wrong",
  unknown: "no answer",
  unchecked: "not checked",
};

/** The DNS records page. `zone` is the zone file path, `expires` Unix ms. */
export const recordsPage = (
  { name, checkedAt, records }: SharedDomain,
  { zone, expires }: { zone: string; expires: number },
): Content => ({
  heading: `DNS records of ${name}`,
  body: html`<p>Enter these records at the DNS provider of the domain, so that mail can be sent from it.
Some providers add the domain to a host by themselves: enter only the part before it there.</p>
<p>${checkedAt === null ? "The records have not been checked yet." : `Last checked: ${minuteInWords(checkedAt)}.`}
This page ends on ${minuteInWords(expires)}.</p>
<p><a href="${zone}">Download the zone file</a></p>
${records.map(recordPart)}`,
});

const recordPart = ({ type, host, value, purpose, required, status, found, message }: SharedRecord): Markup =>
  html`<section>
<h2>${type} <span class="soft">${STATES[status]}${required ? "" : ", recommended"}</span></h2>
<p>${purpose}</p>
<dl>
<div class="whole"><dt>Host</dt><dd><code>${host}</code></dd></div>
<div><dt>Wanted</dt><dd><code>${value}</code></dd></div>
<div><dt>Found</dt>${foundOf(status, found)}</div>
</dl>
${status === "unchecked" ? "" : html`<p>${message}</p>`}
</section>
`;

/** A right record may contain additional text. */
const foundOf = (status: SharedRecord["status"], found: readonly string[]): Markup => {
  if (found.length > 0) return html`${found.map((one) => html`<dd><code>${one}</code></dd>`)}`;
  return html`<dd>${status === "missing" ? "nothing" : "not known"}</dd>`;
};

/** The page of an expired or deleted link. It names no team or domain. */
export const ended: Content = {
  status: 410,
  heading: "This link has ended",
  body: html`<p>It has expired, or the domain was deleted. Ask the person who gave it to you for a new one.</p>`,
};
