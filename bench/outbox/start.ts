import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

export const SECRET = "whsec_bench";

/** The Worker of worker.ts in local workerd at a port of its own, without a proxy in between, state on disk. */
export const start = async (hostUrl: string) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-bench-"));
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, "worker.ts")],
    ...{ bundle: true, write: false, format: "esm", target: "es2024" },
    ...{ conditions: ["workerd", "worker", "browser"], external: ["cloudflare:*", "node:*"], logLevel: "error" },
  });
  const sqlite = (className: string) => ({ className, useSQLite: true });
  const options = convertV4MiniflareOptions({
    ...{ host: "127.0.0.1", port: 0, cf: false },
    workers: [
      {
        ...{ name: "bench", compatibilityDate: "2026-08-01" },
        modules: [{ type: "ESModule", path: "worker.js", contents: outputFiles[0]?.text ?? "" }],
        bindings: {
          STRIPE_WEBHOOK_SECRET: SECRET,
          EMAIL_API_URL: hostUrl,
          EMAIL_API_KEY: "ms_bench",
          TEMPLATES: { receipt: "tpl_receipt" },
        },
        durableObjects: { OUTBOX: sqlite("Outbox"), ONE_BY_ONE: sqlite("OneByOne") },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
    ],
  });
  const miniflare = new Miniflare(
    Object.assign(options, { resourcePersistencePath: state, logRequests: false, handleStructuredLogs: () => {} }),
  );
  await miniflare.ready;
  const { port } = await miniflare.unsafeGetDirectURL("bench");
  return {
    port: Number(port),
    stop: async () => {
      await miniflare.dispose();
      await rm(state, { recursive: true, force: true });
    },
  };
};
