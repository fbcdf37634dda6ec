import { Hono } from "hono";
import { dashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { httpsOnly } from "../../lib/contract/https-only.ts";
import { answer, mount } from "../../lib/contract/mount.ts";
import { isPage, movedTo } from "../../lib/pages/pages.ts";
import { log } from "../../lib/util/log.ts";
import { stateRefusalOf } from "../../lib/util/state-refusal.ts";
import type { AccessContext } from "./access.ts";
import { dashboardService } from "./dashboard-service.ts";
import type { Env, Half } from "./env.ts";
import { asksForHealth, healthAnswer } from "./health.ts";
import { crossOrigin } from "./origin.ts";
import { forward } from "./proxy.ts";
import { dataHeaders, previewFrame, shellOf } from "./shell.ts";

const HALVES: readonly Half[] = ["bridge", "email"];

const here: AccessContext = {
  fetch: (url) => fetch(url),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  cache: new Map(),
};

/** Creates the routes. Only `/api` has sessions. */
export const createApp = (env: Env, context: AccessContext = here): Hono => {
  const app = new Hono();
  app.use(httpsOnly);
  app.use("/api/*", async (c, next) => {
    const refusal = crossOrigin(c.req.raw);
    if (refusal) c.res = answer({ refusal });
    else {
      // Disconnects must not lose the audit entry.
      const done = next();
      c.executionCtx.waitUntil(done);
      await done;
    }
    for (const [name, value] of Object.entries(dataHeaders)) c.res.headers.set(name, value);
    // The page counts down by this clock.
    c.res.headers.set("Date", new Date(Date.now()).toUTCString());
  });
  for (const half of HALVES) {
    const prefix = `/api/${half}`;
    app.all(`${prefix}/*`, (c) =>
      // Hono decodes its path; this one is raw.
      forward(env, half, new URL(c.req.url).pathname.slice(prefix.length), c.req.raw, Date.now()),
    );
  }
  mount(
    app,
    "/api",
    dashboardContract,
    dashboardService(env, context, () => Date.now()),
  );
  app.get("/preview", (c) => previewFrame(c.req.query("images") !== "0"));
  app.get("/health", (c, next) => (asksForHealth(c.req.raw) ? healthAnswer(env, c.req.raw, Date.now()) : next()));
  app.get("*", (c) => page(env, c.req.raw));
  app.notFound((c) =>
    answer({ refusal: { code: "not_found", message: `There is nothing at ${c.req.method} ${c.req.path}.` } }),
  );
  app.onError((error, c) => {
    // The refused object has the sessions, so no operator is known.
    const refused = stateRefusalOf(error);
    if (refused) return answer({ refusal: refused, headers: dataHeaders });
    log("request_failed", { method: c.req.method, error: error.message });
    const message = "Something went wrong here; it is not your request.";
    return answer({ refusal: { code: "internal_error", message }, headers: dataHeaders });
  });
  return app;
};

const FILE = /^\/(assets\/)?[^/]+\.\w+$/;
/** What a program asks for: no page is named so. */
const MACHINE = /\/\.|\.\w+$/;

const page = async (env: Env, request: Request): Promise<Response> => {
  const url = new URL(request.url);
  const { pathname, search } = url;
  const file = FILE.test(pathname) ? await env.ASSETS.fetch(new Request(url, { method: "GET" })) : undefined;
  if (file?.ok && !pathname.endsWith(".html")) {
    const hashed = pathname.startsWith("/assets/");
    const headers = new Headers(file.headers);
    headers.set("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    return new Response(file.body, { status: file.status, headers });
  }
  const moved = movedTo(pathname, search);
  if (moved !== undefined) return new Response(null, { status: 308, headers: { ...dataHeaders, Location: moved } });
  const isThere = isPage(pathname) || (pathname === "/kit" && Boolean(env.LOGIN_CODE));
  if (file || (!isThere && MACHINE.test(pathname)))
    return answer({ refusal: { code: "not_found", message: `There is no file ${pathname}.` } });
  const shell = await env.ASSETS.fetch(new Request(new URL("/index.html", url)));
  if (shell.ok) return shellOf(await shell.text(), isThere ? 200 : 404);
  return new Response("The page of the dashboard is not built. Run: npm run build:dashboard\n", {
    status: 503,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "5", ...dataHeaders },
  });
};
