import type { Context } from "hono";
import { html } from "hono/html";
import { log } from "../../../lib/util/log.ts";
import { stateRefusalOf } from "../../../lib/util/state-refusal.ts";
import { type Language, languageOf } from "./language.ts";
import { type Content, draw, type Shape, securityHeaders } from "./layout.ts";

/** The language of the menu, else of the browser. */
export const languageFor = (c: Context): Shape => ({
  ...languageOf(c.req.header("Accept-Language"), c.req.query("lang")),
  hasMenu: true,
});

/** Answers a page in the reader's language by default. */
export const answerWith = async (c: Context, content: Content, shape = languageFor(c)): Promise<Response> => {
  for (const [name, value] of Object.entries(await securityHeaders(content.sender))) c.header(name, value);
  c.header("Content-Language", shape.lang);
  return c.html(draw(content, shape), content.status ?? 200);
};

/** One page for all invalid links. */
export const missing = (c: Context): Promise<Response> => {
  const { texts } = languageFor(c);
  return answerWith(c, { status: 404, heading: texts.missing, body: html`<p>${texts.missingHint}</p>` });
};

/** A page in one language. */
export const fixed = (language: Language): Shape => ({ ...language, hasMenu: false });

/** Logs an error without the path, which contains the recipient's token, and answers a page. */
export const failed = (c: Context, event: string, error: Error, shape = languageFor(c)): Promise<Response> => {
  const refused = stateRefusalOf(error);
  if (refused) c.header("Retry-After", `${refused.retryAfter}`);
  else log(event, { method: c.req.method, error: error.message });
  return answerWith(c, { status: refused ? 503 : 500, heading: shape.texts.failed, body: "" }, shape);
};
