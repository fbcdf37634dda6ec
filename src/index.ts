import { Hono } from "hono";
import { type Env, outboxOf } from "./env.ts";
import { isTrue } from "./lib/contract/access.ts";
import { httpsOnly, strictTransport } from "./lib/contract/https-only.ts";
import { answer } from "./lib/contract/mount.ts";
import { hearDisk } from "./lib/util/full-disk.ts";
import { log } from "./lib/util/log.ts";
import { callObject } from "./lib/util/retry-object.ts";
import type { FetchedWebhook } from "./outbox/model/journal-types.ts";
import { Outbox as AnyOutbox } from "./outbox/outbox.ts";
import { admin, tokenRefusal } from "./routes/admin.ts";
import { deepHealth } from "./routes/deep-health.ts";
import { gateway } from "./routes/gateway.ts";
import { createHealth } from "./routes/health.ts";
import { door, routesOf } from "./routes/hooks.ts";
import { pictures } from "./routes/pictures.ts";
import { planFetched } from "./routes/plan-deliveries.ts";
import { isolateProblems } from "./routes/problems.ts";
import { refuse } from "./routes/refusal-codes.ts";
import { failureOf } from "./routes/unexpected-error.ts";
import { settingsOf, sources } from "./sources.ts";

const settings = settingsOf(sources);

export class Outbox extends AnyOutbox {
  protected override get sources() {
    return settings;
  }

  protected override plan(fetched: FetchedWebhook) {
    return planFetched(sources, fetched, Date.now());
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
app.get("/health", async (c) => {
  const known = isolateProblems(c.env, Date.now());
  if (isTrue(c.req.query("deep"))) {
    const refusal = await tokenRefusal(c.req.raw, c.env);
    return refusal ? answer({ refusal }) : c.json(await deepHealth(c.env, known), 200, { "Cache-Control": "no-store" });
  }
  const ask = async () => {
    const state = await callObject(() => outboxOf(c.env).health());
    return { ...state, problems: [...known, ...state.problems] };
  };
  return c.json(await health(ask));
});
app.route("/hooks", routesOf(door));
app.route("/admin", admin);
app.route("/v1", gateway);
app.route("/", pictures);
app.all("/health", (c) =>
  refuse("method_not_allowed", `${c.req.method} is not allowed here; use GET.`, { Allow: "GET" }),
);
app.notFound(() => refuse("not_found", "This path does not exist. Send webhooks to POST /hooks/:source."));
const failed = (error: Error): Response => {
  const { code, message, retryAfter } = failureOf(error);
  return refuse(code, message, retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) });
};
app.onError(failed);

/** Nearly all requests are webhooks. Their usual path needs no router. */
const HOOK = /^https?:\/\/[^/]+\/hooks\/([\w-]+)$/;

const { fetch: routed } = app;
const answered = async (request: Request, env: Env, context: ExecutionContext): Promise<Response> => {
  const [, name] = HOOK.exec(request.url) ?? [];
  if (name === undefined) return routed(request, env, context);
  return strictTransport(request.url, await door(request, env, context, name).catch(failed));
};

/** Wakes the Outbox each minute: a lost alarm is set again. */
const scheduled = async ({ cron }: { cron: string }, env: Env): Promise<void> => {
  if (hearDisk(cron)) return;
  try {
    await callObject(() => outboxOf(env).pulse());
  } catch (error) {
    log("watch_failed", { error: error instanceof Error ? error.message : String(error) });
  }
};

export default Object.assign(app, { fetch: answered, scheduled });
