import type { Hono } from "hono";
import { createApp } from "./app.ts";
import type { Env } from "./env.ts";

export { Logins } from "./logins.ts";

/** Cached per isolate and environment. */
let built: { env: Env; app: Hono } | undefined;

export default {
  fetch(request, env, context) {
    if (built?.env !== env) built = { env, app: createApp(env) };
    return built.app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
