import { readdirSync, readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { bundle, modulesOf } from "../../scripts/bundle.ts";

const SECRET = "the secret of the mail door";

/** The workerd that this process started last. */
const newestWorkerd = (): number => {
  const own = readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerd");
    } catch {
      return false;
    }
  });
  return Math.max(...own.map(Number));
};

/** The mail-in door in a workerd of its own. */
export const startDoor = async () => {
  const miniflare = new Miniflare(
    Object.assign(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        cf: false,
        workers: [
          {
            name: "door",
            modules: modulesOf(await bundle(`${import.meta.dirname}/worker.ts`)),
            compatibilityDate: "2026-10-20",
          },
        ],
      }),
      { logRequests: false, handleStructuredLogs: () => {} },
    ),
  );
  const url = await miniflare.ready;
  const pid = newestWorkerd();
  return {
    secret: SECRET,
    /** Returns the milliseconds that the door took, and why it rejected the mail. */
    async deliver(to: string, mail: string): Promise<{ ms: number; rejected: string }> {
      const before = performance.now();
      const body = new TextEncoder().encode(mail);
      const response = await fetch(`${url}?${new URLSearchParams({ to, secret: SECRET })}`, { method: "POST", body });
      const rejected = await response.text();
      if (!response.ok) throw new Error(rejected);
      return { ms: performance.now() - before, rejected };
    },
    /** Bytes of the process in memory. */
    memory: (): number =>
      1_000 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN),
    stop: () => miniflare.dispose(),
  };
};
