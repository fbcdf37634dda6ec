import { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";
import type { Env } from "../env.ts";
import { getOnly } from "./get-only.ts";

/** The 20 random characters cannot be guessed and hide the team. */
const FILE = /^pic_[0-9a-z]{20}\.(?:jpg|png|gif|webp)$/;

/** RFC 9110 section 13.1.2. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

const cachingOf = ({ httpEtag }: R2Object) => ({
  ETag: httpEtag,
  "Cache-Control": "public, max-age=31536000, immutable",
});

/** `GET /assets/{file}` serves public, immutable uploads from the bucket, without a team's object. */
export const assetRoutes = ({ UPLOADS: bucket }: Env): Hono => {
  const app = new Hono();
  const missing = () => {
    const refusal = { code: "not_found", message: "There is nothing here." } as const;
    return answer({ refusal, headers: { "Cache-Control": "no-store" } });
  };

  app.get("/assets/:file", async (c) => {
    const file = c.req.param("file");
    if (!bucket || !FILE.test(file)) return missing();
    const isHead = c.req.method === "HEAD";
    const known = c.req.header("If-None-Match");
    // An opened body must be sent.
    const head = isHead || known !== undefined ? await bucket.head(file) : null;
    if (head && isKnown(known, head.httpEtag)) return new Response(null, { status: 304, headers: cachingOf(head) });
    const r2Object = isHead ? head : await bucket.get(file);
    if (!r2Object) return missing();
    const headers = {
      ...cachingOf(r2Object),
      "Content-Type": r2Object.httpMetadata?.contentType ?? "application/octet-stream",
      "Content-Length": `${r2Object.size}`,
      "Content-Disposition": `inline; filename="picture${file.slice(file.indexOf("."))}"`,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'",
      // Webmail shows the image on another origin.
      "Cross-Origin-Resource-Policy": "cross-origin",
    };
    return new Response(isHead ? null : (r2Object as R2ObjectBody).body, { headers });
  });
  getOnly(app, "/assets/:file");
  return app;
};
