import { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";
import { inboxOn } from "../delivery/senders/inbox/inbox.ts";
import type { Env } from "../env.ts";
import { INBOX_NAME } from "../types/inbox-rpc.ts";
import { FAVICON } from "./face.ts";
import { getOnly } from "./get-only.ts";
import { listPage, mailPage } from "./inbox-page.ts";

const PER_PAGE = 100;

/** Mail is hostile markup: only images load, without scripts or referrers. The frame inherits the policy. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' https: http: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** DNS rebinding would let a web page read the mail; then Host is its domain name. */
const isLocal = (url: string): boolean => {
  const { hostname } = new URL(url);
  return /^(\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\]|localhost|.+\.localhost)$/.test(hostname);
};

const missing = () => answer({ refusal: { code: "not_found", message: "There is nothing here." } });

/**
 * Serves `/inbox` and `/inbox/{id}`, also as JSON. It needs INBOX "1" and a local name or IP address, because all
 * mail is public.
 */
export const inboxRoutes = (env: Env): Hono => {
  const app = new Hono();
  if (!inboxOn(env)) return app;
  const dashboardUrl = env.DASHBOARD_URL || undefined;
  const inbox = () => env.INBOX_STORE.getByName(INBOX_NAME);

  const list = async (query: string | undefined) => {
    const before = query !== undefined && /^\d{1,15}$/.test(query) ? Number(query) : undefined;
    const page = await inbox().page(PER_PAGE, before);
    const last = page.mails.length === PER_PAGE ? page.mails.at(-1)?.n : undefined;
    return { page, older: last };
  };

  app.on(["GET"], ["/inbox.json", "/inbox/*"], async (c, next) => {
    if (!isLocal(c.req.url)) {
      const message = "The inbox answers under localhost or an IP address only, such as http://127.0.0.1:8788/inbox.";
      return answer({ refusal: { code: "not_found", message } });
    }
    await next();
    c.res.headers.set("Content-Security-Policy", POLICY);
    c.res.headers.set("Referrer-Policy", "no-referrer");
    c.res.headers.set("X-Content-Type-Options", "nosniff");
    c.res.headers.set("Cache-Control", "no-store");
  });
  app.get("/inbox.json", async (c) => {
    const { page, older } = await list(c.req.query("before"));
    return c.json({ ...page, older: older === undefined ? null : `/inbox.json?before=${older}` });
  });
  app.get("/inbox", async (c) => {
    const { page, older } = await list(c.req.query("before"));
    return c.html(listPage(page, older === undefined ? undefined : `/inbox?before=${older}`, dashboardUrl));
  });
  app.get("/inbox/favicon.svg", (c) => c.body(FAVICON, 200, { "Content-Type": "image/svg+xml" }));
  app.get("/inbox/:id{.+\\.json}", async (c) => {
    const mail = await inbox().read(c.req.param("id").slice(0, -".json".length));
    return mail ? c.json(mail) : missing();
  });
  app.get("/inbox/:id", async (c) => {
    const mail = await inbox().read(c.req.param("id"));
    const view = { phone: c.req.query("phone") === "1", dark: c.req.query("dark") === "1" };
    return mail ? c.html(mailPage(mail, view, dashboardUrl)) : missing();
  });
  getOnly(app, "/inbox", "/inbox.json", "/inbox/:id");
  return app;
};
