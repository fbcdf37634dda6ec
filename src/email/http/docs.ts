import { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";
import type { Env } from "../env.ts";
import { getOnly } from "./get-only.ts";

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `GET /openapi.json` and `GET /docs`, both public. ASSETS serves files from `scripts/assets.ts`. */
export const docsRoutes = ({ ASSETS }: Env): Hono => {
  const app = new Hono();
  if (!ASSETS) return app;
  const file = async (request: Request, path: string) => {
    const found = await ASSETS.fetch(new Request(new URL(path, request.url), request));
    const response = new Response(found.body, found);
    response.headers.set("Content-Security-Policy", POLICY);
    response.headers.set("X-Content-Type-Options", "nosniff");
    response.headers.set("Referrer-Policy", "no-referrer");
    // ETag checks prevent mixed versions.
    response.headers.set("Cache-Control", "public, no-cache");
    return response;
  };
  app.get("/openapi.json", (c) => file(c.req.raw, "/openapi.json"));
  app.get("/docs", (c) => file(c.req.raw, "/docs/index.html"));
  app.get("/docs/", (c) => c.redirect("/docs", 308));
  app.get("/docs/:file{[\\w.-]+}", async (c) => {
    const response = await file(c.req.raw, `/docs/${c.req.param("file")}`);
    if (response.status !== 404) return response;
    return answer({ refusal: { code: "not_found", message: "There is nothing here." } });
  });
  getOnly(app, "/openapi.json", "/docs", "/docs/:file{[\\w.-]+}");
  return app;
};
