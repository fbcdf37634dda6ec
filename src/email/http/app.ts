import { Hono } from "hono";
import { isTrue } from "../../lib/contract/access.ts";
import { echo } from "../../lib/contract/echo.ts";
import { httpsOnly } from "../../lib/contract/https-only.ts";
import { answer, mount } from "../../lib/contract/mount.ts";
import { v1 } from "../../lib/contract/v1.ts";
import { isDiskFull, NO_ROOM } from "../../lib/util/full-disk.ts";
import { randomId } from "../../lib/util/id.ts";
import { log } from "../../lib/util/log.ts";
import { stateRefusalOf } from "../../lib/util/state-refusal.ts";
import type { Env } from "../env.ts";
import { operatorRefusal } from "./admin/authorize.ts";
import { guardAdmin, mountAdmin } from "./admin.ts";
import { assetRoutes } from "./assets.ts";
import { bounceRoutes } from "./bounces/routes.ts";
import { docsRoutes } from "./docs.ts";
import { domainRoutes } from "./domains/routes.ts";
import { pictureFileRoutes } from "./files/pictures-route.ts";
import { recipientsFileRoutes } from "./files/recipients-route.ts";
import { suppressionsFileRoutes } from "./files/suppressions-route.ts";
import { getOnly } from "./get-only.ts";
import { healthNow } from "./health.ts";
import { iconRoutes } from "./icons.ts";
import { importRoutes } from "./imports/routes.ts";
import { inboxRoutes } from "./inbox.ts";
import { deepHealth } from "./monitor/deep-health.ts";
import { noteFailedWrite } from "./monitor/failed-writes.ts";
import { trackingRoutes } from "./recipient/tracking.ts";
import { recipientRoutes } from "./recipient.ts";
import { uploadRoutes } from "./uploads.ts";
import { teamService } from "./v1.ts";

/** Creates the HTTP routes of the email Worker. No route has CORS headers: API keys belong on servers. */
export const createApp = (env: Env): Hono => {
  const app = new Hono();
  app.use("/v1/*", async (c, next) => {
    await next();
    echo(c.req.raw.headers, c.res.headers);
  });
  app.use(httpsOnly);
  app.use(async (c, next) => {
    const requestId = randomId("req");
    c.header("x-request-id", requestId);
    await next();
    c.res.headers.set("x-request-id", requestId);
  });
  // Personal data must not be cached.
  for (const path of ["/admin/*", "/v1/*"]) {
    app.use(path, async (c, next) => {
      await next();
      c.header("Cache-Control", "no-store");
    });
  }
  app.get("/health", async (c) => {
    if (!isTrue(c.req.query("deep"))) return c.json(await healthNow(env, Date.now()));
    const refusal = await operatorRefusal(env, c.req.raw);
    if (refusal) return answer({ refusal });
    return c.json(await deepHealth(env, Date.now()), 200, { "Cache-Control": "no-store" });
  });
  getOnly(app, "/health");
  mount(app, "/v1", v1, teamService(env));
  guardAdmin(app, env, () => Date.now());
  // JSON operations answer all other methods, so this comes first.
  app.route("/", importRoutes(env));
  app.route("/", recipientsFileRoutes(env));
  app.route("/", suppressionsFileRoutes(env));
  app.route("/", pictureFileRoutes(env));
  mountAdmin(app, env, () => Date.now());
  app.route("/", inboxRoutes(env));
  app.route("/", iconRoutes(env));
  app.route("/", docsRoutes(env));
  app.route("/", uploadRoutes(env));
  app.route("/", bounceRoutes(env));
  app.route("/", assetRoutes(env));
  app.route("/", recipientRoutes(env));
  app.route("/", trackingRoutes(env));
  app.route("/", domainRoutes(env));

  app.options("*", () => {
    const message = "OPTIONS is not allowed: this API is called from servers.";
    return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "GET, POST, PUT, DELETE" } });
  });
  app.notFound((c) =>
    answer({ refusal: { code: "not_found", message: `There is nothing at ${c.req.method} ${c.req.path}.` } }),
  );
  app.onError(async (error, c) => {
    // Under /admin an object is asked only after the token was checked.
    const refused = stateRefusalOf(error, c.req.path.startsWith("/admin/"));
    if (refused) return answer({ refusal: refused });
    await noteFailedWrite(env, error);
    if (isDiskFull(error)) return answer({ refusal: NO_ROOM });
    log("request_failed", { method: c.req.method, path: c.req.path, error: error.message });
    const message = "Something went wrong here; it is not your request.";
    return answer({ refusal: { code: "internal_error", message } });
  });
  return app;
};
