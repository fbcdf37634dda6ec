import { type Context, Hono } from "hono";
import { answer } from "../../../lib/contract/mount.ts";
import { fromBase64 } from "../../../lib/util/hmac.ts";
import { log } from "../../../lib/util/log.ts";
import { type Env, tokenSecretsOf } from "../../env.ts";
import { readClick, readOpen, TRACKING_PATHS } from "../../mail/links/tracking.ts";
import { visitorOf } from "../../mail/tracking/classify.ts";
import type { Hit } from "../../types/tracking.ts";
import { noteFailedWrite } from "../monitor/failed-writes.ts";
import { failed, missing } from "./answer.ts";

const PICTURE = fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

/** The address acts for one recipient, so it is not cached or passed on. */
const HEADERS = {
  "Cache-Control": "no-store, private",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/**
 * `/t/o/{token}` and `/t/c/{token}` track marketing mail. Invalid tokens reach no object, and readers get an answer
 * even if recording fails.
 */
export const trackingRoutes = (env: Env): Hono => {
  const app = new Hono();

  const record = async (c: Context, hit: Omit<Hit, "visitor">): Promise<void> => {
    const what = hit.link === 0 ? "open" : "click";
    const isHttps = new URL(c.req.url).protocol === "https:";
    const visitor = visitorOf({ what, method: c.req.method, isHttps, headers: (name) => c.req.header(name) });
    const recorded = env.WORKSPACE.getByName(hit.mail.team)
      .hit({ ...hit, visitor })
      .catch((error: unknown) => {
        log("hit_lost", { error: error instanceof Error ? error.message : String(error) });
        return noteFailedWrite(env, error);
      });
    const context = contextOf(c);
    if (context) context.waitUntil(recorded);
    else await recorded;
  };

  app.get(`${TRACKING_PATHS.open}/:token`, async (c) => {
    const mail = await readOpen(tokenSecretsOf(env), c.req.param("token"));
    if (!mail || !PICTURE) return missing(c);
    await record(c, { mail, link: 0, url: "" });
    return c.body(PICTURE, 200, { ...HEADERS, "Content-Type": "image/gif" });
  });

  app.get(`${TRACKING_PATHS.click}/:token`, async (c) => {
    const click = await readClick(tokenSecretsOf(env), c.req.param("token"));
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
  app.onError((error, c) => failed(c, "tracking_failed", error));
  return app;
};

/** Hono throws if the app runs outside a Worker. */
const contextOf = (c: Context) => {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
};
