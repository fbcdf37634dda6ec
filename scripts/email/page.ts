import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, raw } from "hono/html";
import type { Built } from "./build.ts";
import { inboxLine, type Markup, panelsOf, size } from "./panels.ts";
import { counts } from "./summary.ts";

const file = (name: string): string => readFileSync(join(import.meta.dirname, "page", name), "utf8");
const style = file("page.css");
const script = file("page.js");

/** Returns a version that depends only on content. */
export const versionOf = ({ files: _, ...shown }: Built): string =>
  createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 16);

/** Renders the page. Only its style and script run, by nonce. Templates escape every value. */
export const pageOf = (built: Built, nonce: string): Markup => {
  const panels = panelsOf(built);
  const links = panels.map(({ id, title }) => html`<a href="#${id}">${title}</a>`);
  const sections = panels.map(
    ({ id, title, body }) => html`
<section id="${id}" aria-label="${title}"><h2>${title}</h2>
${body}
</section>`,
  );
  const { mail } = built;
  return html`<!doctype html>
<html lang="en" data-version="${versionOf(built)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${built.path}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${raw(style)}</style>
</head>
<body>
<header>
<h1>${built.path}</h1>
<p>${counts(built.findings)}${mail === undefined ? "" : html`, ${size(mail)}`}</p>
${mail === undefined ? "" : inboxLine(mail)}
<nav aria-label="Views">${links}</nav>
</header>
<main>${sections}
</main>
<script nonce="${nonce}">${raw(script)}</script>
</body>
</html>`;
};
