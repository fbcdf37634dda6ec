import type { Hono } from "hono";
import type { Env } from "./env.ts";
import { createApp } from "./http/app.ts";

export { Directory } from "./objects/directory.ts";
export { Inbox } from "./objects/inbox.ts";
export { Workspace } from "./workspace/object.ts";

/** Built once for the environment of this isolate. */
let built: { env: Env; app: Hono } | undefined;

export default {
  fetch(request, env, context) {
    if (built?.env !== env) built = { env, app: createApp(env) };
    return built.app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
