import type { Hono } from "hono";
import { hearDisk } from "../lib/util/full-disk.ts";
import type { Env } from "./env.ts";
import { receiveEvents } from "./events-in.ts";
import { createApp } from "./http/app.ts";
import { watch } from "./http/monitor/watch.ts";
import { receiveMail } from "./mail-in.ts";

export { Directory } from "./objects/directory.ts";
export { Inbox } from "./objects/inbox.ts";
export { Mailer } from "./objects/mailer.ts";
export { Notifier } from "./objects/notifier.ts";
export { Workspace } from "./workspace/object.ts";

/** Cached per isolate and environment. */
let built: { env: Env; app: Hono } | undefined;

export default {
  fetch(request, env, context) {
    if (built?.env !== env) built = { env, app: createApp(env) };
    return built.app.fetch(request, env, context);
  },
  scheduled: ({ cron }, env) => (hearDisk(cron) ? undefined : watch(env, Date.now())),
  email: (message, env) =>
    receiveMail({ to: message.to, raw: message.raw, setReject: (reason) => message.setReject(reason) }, env),
  queue: (batch, env) => receiveEvents(batch.messages, env),
} satisfies ExportedHandler<Env>;
