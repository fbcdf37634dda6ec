import { join } from "node:path";
import * as esbuild from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { handlerFiles } from "../../scripts/providers/list.ts";
import { CIRCUMSTANCES, type Circumstances } from "./every-source.ts";

const root = join(import.meta.dirname, "..", "..");

/** The real door over the real Outbox in workerd, with every handler as a source; see `createWorker`. */
export const startEverySource = async () => {
  const path = (to: string) => JSON.stringify(join(root, to));
  const imports = handlerFiles().map((file, i) => `import * as h${i} from ${JSON.stringify(file)};`);
  const entry = `${imports.join("\n")}
    import { createWorker } from ${path("test/system/every-source.ts")};
    export { Outbox } from ${path("src/outbox/outbox.ts")};
    export default createWorker([${imports.map((_, i) => `h${i}`).join(", ")}]);`;
  const { outputFiles } = await esbuild.build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
    logLevel: "error",
  });
  const miniflare = new Miniflare(
    Object.assign(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        cf: false,
        workers: [
          {
            name: "bridge",
            modules: [{ type: "ESModule", path: "worker.js", contents: outputFiles[0]?.text ?? "" }],
            compatibilityDate: "2026-08-01",
            durableObjects: { OUTBOX: { className: "Outbox", useSQLite: true } },
          },
        ],
      }),
      { logRequests: false, handleStructuredLogs: () => {} },
    ),
  );
  const url = (await miniflare.ready).origin;
  return {
    send: (
      source: string,
      request: { method?: string; headers: Record<string, string>; body: string; query?: string; token?: string },
      circumstances: Circumstances,
    ): Promise<Response> => {
      const { method = "POST", headers, body, query = "", token } = request;
      const told = Buffer.from(JSON.stringify(circumstances)).toString("base64");
      return fetch(`${url}/hooks/${source}${token === undefined ? "" : `/${token}`}${query}`, {
        method,
        headers: { ...headers, [CIRCUMSTANCES]: told },
        ...(method === "GET" ? {} : { body }),
      });
    },
    stop: () => miniflare.dispose(),
  };
};
