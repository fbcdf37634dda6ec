import { type Context, Hono } from "hono";
import { readText } from "../../lib/contract/body.ts";
import { answer } from "../../lib/contract/mount.ts";
import { publicUrlOf } from "../../lib/util/public-url.ts";
import { type Env, tokenSecretsOf } from "../env.ts";
import { createToken, readToken, readViewToken } from "../mail/links/link-token.ts";
import { LINK_PATHS, VIEW_PATH } from "../mail/links/urls.ts";
import type { LinkKind } from "../types/recipient.ts";
import { getOnly } from "./get-only.ts";
import { noteFailedWrite } from "./monitor/failed-writes.ts";
import { actionOf } from "./recipient/action.ts";
import { answerWith, failed, languageFor, missing } from "./recipient/answer.ts";
import { mailInBrowser } from "./recipient/mail.ts";
import { pageOf } from "./recipient/pages.ts";

const MAX_FORM = 256_000;

/**
 * Recipient pages: `/u/{token}`, `/p/{token}`, `/c/{token}`. GET changes nothing, because scanners open links. POST
 * acts without cookies or redirects (RFC 8058).
 */
export const recipientRoutes = (env: Env): Hono => {
  const app = new Hono();

  const show = async (c: Context, kind: LinkKind): Promise<Response> => {
    const secrets = tokenSecretsOf(env);
    const target = await readToken(secrets, kind, c.req.param("token") ?? "");
    const [secret] = secrets;
    if (!target || !secret) return missing(c);
    const acted = c.req.method === "POST";
    const action = acted ? actionOf(kind, await readText(c.req.raw, MAX_FORM)) : undefined;
    const { lang, texts } = languageFor(c);
    if (acted && !action) return answerWith(c, { status: 400, heading: texts.refused, body: "" });
    const view = await env.WORKSPACE.getByName(target.team).recipient(target, action);
    if (!view) return missing(c);
    const chosen = c.req.query("lang") === lang ? `?lang=${lang}` : "";
    const preferences = `${LINK_PATHS.preferences}/${await createToken(secret, "preferences", target)}${chosen}`;
    return answerWith(c, pageOf(kind, { view, texts, preferences, action }));
  };

  for (const [kind, path] of Object.entries(LINK_PATHS) as [LinkKind, string][]) {
    app.on(["GET", "POST"], `${path}/:token`, (c) => show(c, kind));
    app.all(`${path}/:token`, (c) => {
      const message = `${c.req.method} is not allowed here; use GET or POST.`;
      return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "GET, POST" } });
    });
  }

  app.get(`${VIEW_PATH}/:token`, async (c) => {
    const secrets = tokenSecretsOf(env);
    const mail = await readViewToken(secrets, c.req.param("token"));
    const [secret] = secrets;
    const source = mail && (await env.WORKSPACE.getByName(mail.target.team).mailSource(mail.revision));
    if (!mail || !source || !secret) return missing(c);
    const { content, sender, footer } = source;
    if (!content) return answerWith(c, { status: 410, heading: languageFor(c).texts.gone, sender, body: "" });
    const publicUrl = publicUrlOf(env) ?? new URL(c.req.url).origin;
    return mailInBrowser(c, mail, { content, footer }, { secret, publicUrl });
  });
  getOnly(app, `${VIEW_PATH}/:token`);

  app.onError(async (error, c) => {
    await noteFailedWrite(env, error);
    return failed(c, "recipient_page_failed", error);
  });
  return app;
};
