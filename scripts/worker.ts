import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { modulesOf } from "./bundle.ts";

export type WorkerOptions = {
  script: string;
  vars?: Record<string, unknown>;
  objects?: Record<string, string>;
  flags?: string[];
  inspectorPort?: number;
  /** The state is in memory without a folder. */
  state?: string;
};

/** Runs a Worker in local workerd without wrangler.toml. Its logs are dropped. */
export const startWorker = async (workerOptions: WorkerOptions) => {
  const { script, vars = {}, objects = {}, flags = [], state, inspectorPort } = workerOptions;
  const name = "worker";
  const options = convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    workers: [
      {
        name,
        compatibilityDate: "2026-10-20",
        compatibilityFlags: flags,
        modules: modulesOf(script),
        bindings: vars as Record<string, never>,
        durableObjects: Object.fromEntries(
          Object.entries(objects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
        ),
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
    ],
  });
  const miniflare = new Miniflare(
    Object.assign(options, {
      ...(state === undefined ? {} : { resourcePersistencePath: state }),
      logRequests: false,
      handleStructuredLogs: () => {},
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL(name);
  return { url: origin, stop: () => miniflare.dispose() };
};
