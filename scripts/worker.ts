import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { modulesOf } from "./bundle.ts";

export type WorkerOptions = {
  /** See `bundle`. */
  script: string;
  /** Secrets and variables by name. */
  vars?: Record<string, unknown>;
  /** Classes of its Durable Objects by binding. All have SQLite. */
  objects?: Record<string, string>;
  /** Compatibility flags. */
  flags?: string[];
  /** Port for the inspector, where a profiler connects. */
  inspectorPort?: number;
  /** Folder for its state. Without one, the state is in memory. */
  state?: string;
};

/** Runs a Worker without a wrangler.toml in local workerd, at its own port and without a proxy in between. Its logs are dropped. */
export const startWorker = async (given: WorkerOptions) => {
  const { script, vars = {}, objects = {}, flags = [], state, inspectorPort } = given;
  const name = "worker";
  const options = convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    workers: [
      {
        name,
        compatibilityDate: "2026-08-01",
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
