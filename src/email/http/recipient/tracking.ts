import { type Context, Hono } from "hono";
import { answer } from "../../../lib/contract/mount.ts";
import { fromBase64 } from "../../../lib/util/hmac.ts";
import { log } from "../../../lib/util/log.ts";
import { type Env, tokenSecretsOf } from "../../env.ts";
import { linkKeysOf } from "../../mail/links/keys.ts";
import { readClick, readOpen, TRACKING_PATHS } from "../../mail/links/tracking.ts";
import { visitorOf } from "../../mail/tracking/classify.ts";
import type { Hit } from "../../types/tracking.ts";
import { answerWith, missing, textsFor } from "./answer.ts";

/** A transparent picture of one pixel. */
const PICTURE = fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

/** The link in the address acts for one recipient: nothing keeps it or passes it on. */
const HEADERS = {
  "Cache-Control": "no-store, private",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/**
 * The open picture `/t/o/{token}` and tracked links `/t/c/{token}` of marketing mail. A token that is not valid reaches no object.
 * The reader gets the picture or the page whatever becomes of the record.
 */
export const trackingRoutes = (env: Env): Hono => {
  const app = new Hono();

  const record = async (c: Context, hit: Omit<Hit, "visitor">): Promise<void> => {
    const what = hit.link === 0 ? "open" : "click";
    const isHttps = new URL(c.req.url).protocol === "https:";
    const visitor = visitorOf({ what, method: c.req.method, isHttps, headers: (name) => c.req.header(name) });
    const recorded = env.WORKSPACE.getByName(hit.mail.team)
      .hit({ ...hit, visitor })
      .catch((error: unknown) => log("hit_lost", { error: error instanceof Error ? error.message : String(error) }));
    const context = contextOf(c);
    if (context) context.waitUntil(recorded);
    else await recorded;
  };

  app.get(`${TRACKING_PATHS.open}/:token`, async (c) => {
    const mail = await readOpen(await linkKeysOf(tokenSecretsOf(env)), c.req.param("token"));
    if (!mail || !PICTURE) return missing(c);
    await record(c, { mail, link: 0, url: "" });
    return c.body(PICTURE, 200, { ...HEADERS, "Content-Type": "image/gif" });
  });

  app.get(`${TRACKING_PATHS.click}/:token`, async (c) => {
    const click = await readClick(await linkKeysOf(tokenSecretsOf(env)), c.req.param("token"));
    if (!click) return missing(c);
    await record(c, click);
    return c.body(null, 302, { ...HEADERS, Location: click.url });
  });

  for (const path of Object.values(TRACKING_PATHS)) {
    app.all(`${path}/:token`, (c) => {
      const message = `${c.req.method} is not allowed here; use GET.`;
      return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "GET" } });
    });
  }
  app.onError((error, c) => {
    // The path has the token of a recipient: it is not logged.
    log("tracking_failed", { error: error.message });
    return answerWith(c, { status: 500, heading: textsFor(c).failed, body: "" });
  });
  return app;
};

/** Work that goes on after the answer. Hono throws where the app is called without a Worker around it. */
const contextOf = (c: Context) => {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
};
