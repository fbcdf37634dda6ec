import { html, raw } from "hono/html";
import { EMBLEM } from "../../src/email/http/face.ts";
import { codeOf, curlOf, sampleOf } from "./reference-samples.ts";
import { type Fields, fieldsOf, type Json, resolve } from "./reference-schema.ts";

type Markup = ReturnType<typeof html>;

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security?: unknown[];
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
};

/** An OpenAPI 3.1 document as `scripts/lib/openapi.ts` makes it. */
export type Document = Json & {
  info: { title: string; version: string; description?: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
};

type Listed = { method: string; path: string; operation: Operation };

const METHODS = ["get", "post", "put", "patch", "delete"];

const operationsIn = (paths: Record<string, Record<string, Operation>> | undefined): Listed[] =>
  Object.entries(paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );

/** `contactProperties` as "Contact properties". */
const titleOf = (tag: string): string => {
  const words = tag
    .replace(/^api(?=[A-Z])/, "API")
    .replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
  return words[0]?.toUpperCase() + words.slice(1);
};

/** Sentences with `code` in backticks, paragraphs apart. */
const prose = (text: string): Markup =>
  html`${text.split(/\n{2,}/).map((paragraph) => {
    const parts = paragraph.split("`").map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
    return html`<p>${parts}</p>`;
  })}`;

/** `of` makes the name of the block its own within the page. */
const codeBlock = (name: string, of: string, text: string): Markup =>
  html`<figure><figcaption>${name}</figcaption><pre tabindex="0" role="region" aria-label="${name}: ${of}"><code>${codeOf(text)}</code></pre></figure>`;

const fieldRows = (fields: Fields): Markup => html`<ul class="fields">${fields.map(
  ({ name, type, isRequired, about, rules, inner }) => html`
<li><code class="name">${name}</code> <span class="type">${type}</span>${isRequired ? html` <span class="required">required</span>` : ""}${
    about === "" ? "" : prose(about)
  }${rules.length === 0 ? "" : html`<p class="rules">${rules.join(" · ")}</p>`}${
    inner.length === 0
      ? ""
      : html`<details><summary>${inner.length === 1 ? "1 field" : `${inner.length} fields`} of ${name}</summary>${fieldRows(inner)}</details>`
  }</li>`,
)}
</ul>`;

const part = (title: string, fields: Fields): Markup | "" =>
  fields.length === 0 ? "" : html`<h4>${title}</h4>${fieldRows(fields)}`;

const bodyOf = (document: Json, holder: Json | undefined): { schema: Json; example: unknown } | undefined => {
  const content = (holder?.content ?? {}) as Record<string, Json>;
  const media = content["application/json"] ?? Object.values(content)[0];
  const schema = media?.schema as Json | undefined;
  return schema && { schema: resolve(document, schema), example: media?.example };
};

const PLACES = { path: "Path", query: "Query", header: "Headers" } as const;

const requestParts = (document: Document, { parameters = [], requestBody }: Operation): Markup => {
  const all = parameters.map((one) => resolve(document, one));
  const places = Object.entries(PLACES).map(([place, title]) => {
    const here = all.filter((one) => one.in === place);
    const properties = Object.fromEntries(
      here.map(({ name, schema, description }) => [String(name), { ...(schema as Json), description }]),
    );
    const required = here.filter((one) => one.required === true).map(({ name }) => name);
    return part(title, fieldsOf(document, { type: "object", properties, required } as Json));
  });
  const body = bodyOf(document, requestBody);
  return html`${places}${body ? part("Body", fieldsOf(document, body.schema)) : ""}`;
};

const answers = (document: Document, { responses }: Operation): Markup => {
  const all = Object.entries(responses).map(([status, given]) => ({ status, given: resolve(document, given) }));
  const good = all.filter(({ status }) => status.startsWith("2"));
  const bad = all.filter(({ status }) => !status.startsWith("2"));
  return html`${good.map(({ status, given }) => {
    const body = bodyOf(document, given);
    return body
      ? part(`Answer ${status}`, fieldsOf(document, body.schema))
      : html`<h4>Answer ${status}</h4>${prose(String(given.description))}`;
  })}${
    bad.length === 0
      ? ""
      : html`<h4>Errors</h4><ul class="errors">${bad.map(
          ({ status, given }) =>
            html`<li><a href="#errors"><code>${status}</code></a> ${prose(String(given.description))}</li>`,
        )}</ul>`
  }`;
};

const samples = (document: Document, { method, path, operation }: Listed, isWebhook: boolean): Markup => {
  const sent = bodyOf(document, operation.requestBody);
  const [status, answered] = Object.entries(operation.responses).find(([one]) => one.startsWith("2")) ?? [];
  const body = answered && bodyOf(document, resolve(document, answered));
  const sample = sent && sampleOf(document, sent.schema, sent.example);
  if (isWebhook)
    return sample === undefined ? html`` : codeBlock("Body", operation.summary, JSON.stringify(sample, null, 2));
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  return html`${codeBlock("Request", operation.summary, curlOf(method, path, parameters, sample))}${
    body
      ? codeBlock(
          `Answer ${status}`,
          operation.summary,
          JSON.stringify(sampleOf(document, body.schema, body.example), null, 2),
        )
      : ""
  }`;
};

const operationPart = (document: Document, listed: Listed, isWebhook: boolean): Markup => {
  const { method, path, operation } = listed;
  const { operationId: id, summary, description, deprecated } = operation;
  return html`
<section class="operation" id="${id}"><div class="about">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${raw(
    isWebhook ? "your endpoint" : path.replaceAll("/", "/<wbr>"),
  )}</code></p>
<p class="id"><code>${id}</code>${deprecated ? " · deprecated" : ""}</p>
${description === undefined ? "" : prose(description)}${requestParts(document, operation)}${answers(document, operation)}
</div><div class="samples">${samples(document, listed, isWebhook)}</div></section>`;
};

const errorFields = (document: Document): Markup => {
  const schemas = (document.components as Json).schemas as Record<string, Json>;
  return schemas.Error ? fieldRows(fieldsOf(document, resolve(document, schemas.Error))) : html``;
};

const errorStatuses = (document: Document): Markup => {
  const all = operationsIn(document.paths).flatMap(({ operation }) => Object.entries(operation.responses));
  const known = new Map(all.filter(([status]) => !status.startsWith("2")).map(([status, given]) => [status, given]));
  return html`<ul class="errors">${[...known]
    .sort()
    .map(
      ([status, given]) => html`<li><code>${status}</code> ${prose(String(resolve(document, given).description))}</li>`,
    )}</ul>`;
};

type Section = { title: string; text: string; sample: string | undefined };

/** Reads the sections of a description (Markdown): a heading, paragraphs, and at most one block of code. */
const sectionsOf = (description: string): Section[] =>
  description
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf("\n");
      const [, sample] = /```sh\n([\s\S]*?)\n```/.exec(section) ?? [];
      const text = section
        .slice(end)
        .replace(/```[\s\S]*?```/, "")
        .trim();
      return { title: section.slice(0, end), text, sample };
    });

/** Draws a whole reference as one page without scripts. */
export const referenceOf = (document: Document): string => {
  const introduction = sectionsOf(document.info.description ?? "");
  const operations = operationsIn(document.paths);
  const hooks = operationsIn(document.webhooks);
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    listed: [...operations, ...hooks].filter(({ operation }) => operation.tags.includes(name)),
  }));
  const idOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${document.info.title}</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="home" href="/docs">${EMBLEM}<b>${document.info.title}</b></a><span class="version">${document.info.version}</span><a href="/openapi.json">openapi.json</a></header>
<nav aria-label="Contents"><details open><summary>Contents</summary><ul>
${[...introduction.map(({ title }) => title), "Errors"].map((title) => html`<li><a href="#${idOf(title)}">${title}</a></li>`)}
${groups.map(
  ({ name, listed }) => html`<li><a href="#${name}">${titleOf(name)}</a><ul>${listed.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span>${operation.summary}</a></li>`,
  )}</ul></li>
`,
)}</ul></details></nav>
<main id="content">
<h1>${document.info.title}</h1>
${introduction.map(
  ({ title, text, sample }) =>
    html`<section class="operation" id="${idOf(title)}"><div class="about"><h2>${title}</h2>${prose(text)}</div><div class="samples">${sample === undefined ? "" : codeBlock("Request", title, sample)}</div></section>
`,
)}<section class="operation" id="errors"><div class="about"><h2>Errors</h2>${prose(
    "Every error has this JSON, in one form. `code` is for programs and does not change; `message` says in words what to do.",
  )}${errorFields(document)}<h3 class="plain">Statuses</h3>${errorStatuses(document)}</div><div class="samples">${codeBlock(
    "Answer 400",
    "Errors",
    JSON.stringify(
      { success: false, code: "invalid_request", path: "email", message: "email: must be an email address" },
      null,
      2,
    ),
  )}</div></section>
${groups.map(
  ({ name, description, listed }) => html`
<section class="group" id="${name}"><h2>${titleOf(name)}</h2>${prose(description)}</section>
${listed.map((one) => operationPart(document, one, hooks.includes(one)))}`,
)}
</main>
</body>
</html>
`}`;
};
