import type { Context } from "hono";
import { log } from "../../../lib/util/log.ts";
import { stateRefusalOf } from "../../../lib/util/state-refusal.ts";
import { languageOf } from "./language.ts";
import { type Content, draw, securityHeaders } from "./layout.ts";

export const textsFor = (c: Context) => languageOf(c.req.header("Accept-Language")).texts;

/** Answers a page in the browser's language by default. */
export const answerWith = async (
  c: Context,
  content: Content,
  { lang, texts } = languageOf(c.req.header("Accept-Language")),
): Promise<Response> => {
  for (const [name, value] of Object.entries(await securityHeaders())) c.header(name, value);
  c.header("Content-Language", lang);
  return c.html(draw(content, lang, texts), content.status ?? 200);
};

/** One page for all invalid links. */
export const missing = (c: Context): Promise<Response> =>
  answerWith(c, { status: 404, heading: textsFor(c).missing, body: "" });

/** Logs an error without the path, which contains the recipient's token, and answers a page. */
export const failed = (
  c: Context,
  event: string,
  error: Error,
  language = languageOf(c.req.header("Accept-Language")),
): Promise<Response> => {
  const refused = stateRefusalOf(error);
  if (refused) c.header("Retry-After", `${refused.retryAfter}`);
  else log(event, { method: c.req.method, error: error.message });
  return answerWith(c, { status: refused ? 503 : 500, heading: language.texts.failed, body: "" }, language);
};
