import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { handlerFiles } from "../../scripts/providers/list.ts";
import { startWorker } from "../../scripts/worker.ts";
import { CIRCUMSTANCES, type Circumstances } from "./every-source.ts";

const root = join(import.meta.dirname, "..", "..");

/** The real entry and the real Outbox in workerd, with every handler as a source: see `createWorker`. */
export const startEverySource = async () => {
  const path = (to: string) => JSON.stringify(join(root, to));
  const imports = handlerFiles().map((file, i) => `import * as h${i} from ${JSON.stringify(file)};`);
  const entry = `${imports.join("\n")}
    import { createWorker } from ${path("test/system/every-source.ts")};
    export { Outbox } from ${path("src/outbox/outbox.ts")};
    export default createWorker([${imports.map((_, i) => `h${i}`).join(", ")}]);`;
  const { url, stop } = await startWorker({
    script: await bundle({ text: entry, folder: root }),
    objects: { OUTBOX: "Outbox" },
  });
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
    stop,
  };
};
