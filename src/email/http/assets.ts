import { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";
import type { Env } from "../env.ts";
import { getOnly } from "./get-only.ts";

/** File names that the Workspace gives. Their 20 random characters cannot be guessed, and say nothing about the team. */
const FILE = /^pic_[0-9a-z]{20}\.(?:jpg|png|gif|webp)$/;

/** True where `If-None-Match` names this ETag (RFC 9110 section 13.1.2). */
const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);

const cachingOf = ({ httpEtag }: R2Object) => ({
  ETag: httpEtag,
  "Cache-Control": "public, max-age=31536000, immutable",
});

/**
 * `GET /assets/{file}`: uploaded pictures, for everybody, because mail programs load them. No team's object is asked: only
 * the completed upload tells the name of its file. A file never changes.
 */
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
    // A body that is opened has to be sent.
    const head = isHead || known !== undefined ? await bucket.head(file) : null;
    if (head && isKnown(known, head.httpEtag)) return new Response(null, { status: 304, headers: cachingOf(head) });
    const found = isHead ? head : await bucket.get(file);
    if (!found) return missing();
    const headers = {
      ...cachingOf(found),
      "Content-Type": found.httpMetadata?.contentType ?? "application/octet-stream",
      "Content-Length": `${found.size}`,
      "Content-Disposition": `inline; filename="picture${file.slice(file.indexOf("."))}"`,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'",
      // Web mail shows the picture on a page of its own origin.
      "Cross-Origin-Resource-Policy": "cross-origin",
    };
    return new Response(isHead ? null : (found as R2ObjectBody).body, { headers });
  });
  getOnly(app, "/assets/:file");
  return app;
};
