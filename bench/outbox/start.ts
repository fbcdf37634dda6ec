import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

export const SECRETS = {
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  SUPABASE_HOOK_SECRET: "v1,whsec_9/aEo92he/COTHQ/t9CEQy0rC9jDAj5gqNUsJEJI3EE=",
};

let script: string | undefined;

const bundle = async (): Promise<string> => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, "worker.ts")],
    ...{ bundle: true, write: false, format: "esm", target: "es2024" },
    ...{ conditions: ["workerd", "worker", "browser"], external: ["cloudflare:*", "node:*"], logLevel: "error" },
  });
  return outputFiles[0]?.text ?? "";
};

export type Bench = Awaited<ReturnType<typeof start>>;

/** The Worker of worker.ts in local workerd at a port of its own, without a proxy in between, state on disk. */
export const start = async (hostUrl: string) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-bench-"));
  script ??= await bundle();
  const sqlite = (className: string) => ({ className, useSQLite: true });
  const options = convertV4MiniflareOptions({
    ...{ host: "127.0.0.1", port: 0, cf: false },
    workers: [
      {
        ...{ name: "bench", compatibilityDate: "2026-08-01" },
        modules: [{ type: "ESModule", path: "worker.js", contents: script }],
        bindings: {
          ...SECRETS,
          EMAIL_API_URL: hostUrl,
          EMAIL_API_KEY: "ms_bench",
          TEMPLATES: { receipt: "tpl_receipt", "magic-link": "tpl_magic_link" },
        },
        durableObjects: { OUTBOX: sqlite("Outbox"), ONE_BY_ONE: sqlite("OneByOne"), COUNTING: sqlite("Counting") },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
    ],
  });
  const miniflare = new Miniflare(
    Object.assign(options, { resourcePersistencePath: state, logRequests: false, handleStructuredLogs: () => {} }),
  );
  await miniflare.ready;
  const { port, origin } = await miniflare.unsafeGetDirectURL("bench");
  return {
    port: Number(port),
    /** Asks the counting object of that name. */
    object: async (name: string, query = "") => {
      const response = await fetch(`${origin}/do/${name}/x${query}`);
      if (!response.ok) throw new Error(`${name}${query}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { sql: number; alarms: number; left: number; waiting: number };
    },
    stop: async () => {
      await miniflare.dispose();
      await rm(state, { recursive: true, force: true });
    },
  };
};
