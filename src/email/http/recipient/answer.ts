import type { Context } from "hono";
import { languageOf } from "./language.ts";
import { type Content, draw, securityHeaders } from "./layout.ts";

export const textsFor = (c: Context) => languageOf(c.req.header("Accept-Language")).texts;

/** A page, by default in the language that the browser asks for. */
export const answerWith = async (
  c: Context,
  content: Content,
  { lang, texts } = languageOf(c.req.header("Accept-Language")),
): Promise<Response> => {
  for (const [name, value] of Object.entries(await securityHeaders())) c.header(name, value);
  c.header("Content-Language", lang);
  return c.html(draw(content, lang, texts), content.status ?? 200);
};

/** The same page for every link that is not valid, whatever is wrong with it. */
export const missing = (c: Context): Promise<Response> =>
  answerWith(c, { status: 404, heading: textsFor(c).missing, body: "" });
