import type { Hono } from "hono";
import { createApp } from "./app.ts";
import type { Env } from "./env.ts";

export { Directory } from "./directory/object.ts";
export { Inbox } from "./inbox/object.ts";
export { Workspace } from "./workspace/workspace.ts";

/** Built once for the environment of this isolate. */
let built: { env: Env; app: Hono } | undefined;

export default {
  fetch(request, env, context) {
    if (built?.env !== env) built = { env, app: createApp(env) };
    return built.app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
