import { type Context, Hono } from "hono";
import { type Env, tokenSecretsOf } from "../../env.ts";
import { DOMAIN_PATH, type DomainTarget, readDomainToken } from "../../mail/links/domain.ts";
import type { SharedDomain } from "../../types/shared-domain.ts";
import { getOnly } from "../get-only.ts";
import { answerWith, failed, fixed, missing } from "../recipient/answer.ts";
import { languageOf } from "../recipient/language.ts";
import { type Content, securityHeaders } from "../recipient/layout.ts";
import { ended, recordsPage } from "./page.ts";

const ENGLISH = fixed(languageOf("en"));

/**
 * `/d/{token}` shows a domain's checked DNS records, and `/d/{token}/zone` the zone file. The token is the only
 * proof. Requests write nothing and ask no DNS.
 */
export const domainRoutes = (env: Env): Hono => {
  const app = new Hono();

  const show = async (
    c: Context,
    draw: (domain: SharedDomain, target: DomainTarget) => Response | Promise<Response>,
  ): Promise<Response> => {
    const target = await readDomainToken(tokenSecretsOf(env), c.req.param("token") ?? "", Date.now());
    if (target === "invalid") return missing(c);
    if (target === "expired") return inEnglish(c, ended);
    const domain = await env.WORKSPACE.getByName(target.team).sharedDomain(target.domain);
    return domain ? draw(domain, target) : inEnglish(c, ended);
  };

  const path = `${DOMAIN_PATH}/:token`;
  app.get(path, (c) =>
    show(c, (domain, { expires }) => inEnglish(c, recordsPage(domain, { zone: `${c.req.path}/zone`, expires }))),
  );
  app.get(`${path}/zone`, (c) => show(c, async ({ name, zone }) => zoneAnswer(c, name, zone)));
  getOnly(app, path, `${path}/zone`);

  app.onError((error, c) => failed(c, "records_page_failed", error, ENGLISH));
  return app;
};

const inEnglish = (c: Context, content: Content): Promise<Response> => answerWith(c, content, ENGLISH);

const zoneAnswer = async (c: Context, name: string, zone: string): Promise<Response> =>
  c.text(zone, 200, {
    ...(await securityHeaders()),
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}.zone"`,
  });
