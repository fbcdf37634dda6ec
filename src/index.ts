import { Hono } from "hono";
import { type Env, outboxOf } from "./env.ts";
import { httpsOnly } from "./lib/contract/https-only.ts";
import { callObject } from "./lib/util/retry-object.ts";
import { Outbox as AnyOutbox } from "./outbox/outbox.ts";
import { admin } from "./routes/admin.ts";
import { gateway } from "./routes/gateway.ts";
import { createHealth } from "./routes/health.ts";
import { hooks } from "./routes/hooks.ts";
import { pictures } from "./routes/pictures.ts";
import { refuse } from "./routes/refusal-codes.ts";
import { failureOf } from "./routes/unexpected-error.ts";
import { settingsOf, sources } from "./sources.ts";

const settings = settingsOf(sources);

export class Outbox extends AnyOutbox {
  protected override get sources() {
    return settings;
  }
}

const app = new Hono<{ Bindings: Env }>();
app.use(httpsOnly);

// The answers are about people, so no cache may keep them.
for (const path of ["/admin/*", "/v1/*"]) {
  app.use(path, async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
}
const health = createHealth(() => Date.now());
app.get("/health", async (c) => c.json(await health(() => callObject(() => outboxOf(c.env).health()))));
app.route("/hooks", hooks);
app.route("/admin", admin);
app.route("/v1", gateway);
app.route("/", pictures);
app.all("/health", (c) =>
  refuse("method_not_allowed", `${c.req.method} is not allowed here; use GET.`, { Allow: "GET" }),
);
app.notFound(() => refuse("not_found", "This path does not exist. Send webhooks to POST /hooks/:source."));
app.onError((error) => {
  const { code, message, retryAfter } = failureOf(error);
  return refuse(code, message, retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) });
});

export default app;
