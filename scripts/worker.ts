import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { modulesOf } from "./bundle.ts";

export type WorkerOptions = {
  /** See `bundle`. */
  script: string;
  /** Secrets and variables by name. */
  vars?: Record<string, unknown>;
  /** Classes of its Durable Objects by binding; all have SQLite. */
  objects?: Record<string, string>;
  /** Folder that keeps its state; without one, memory does. */
  state?: string;
};

/**
 * Runs one Worker that has no wrangler.toml in local workerd, at a port of its own and without a proxy in between.
 * Prints nothing of what it logs.
 */
export const startWorker = async ({ script, vars = {}, objects = {}, state }: WorkerOptions) => {
  const name = "worker";
  const options = convertV4MiniflareOptions({
    ...{ host: "127.0.0.1", port: 0, cf: false },
    workers: [
      {
        ...{ name, compatibilityDate: "2026-08-01", modules: modulesOf(script) },
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
      ...{ logRequests: false, handleStructuredLogs: () => {} },
    }),
  );
  await miniflare.ready;
  const { origin } = await miniflare.unsafeGetDirectURL(name);
  return { url: origin, stop: () => miniflare.dispose() };
};
