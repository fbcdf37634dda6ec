import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { bundle } from "../../scripts/bundle.ts";
import { loadWorker, workerOptions } from "../../scripts/workers.ts";
import type { Counts, Rules } from "./inside/rules.ts";

export type WorkerName = "bridge" | "email" | "dashboard";

const CONFIGS: Record<WorkerName, string> = {
  bridge: "wrangler.toml",
  email: "src/email/wrangler.toml",
  dashboard: "src/dashboard/wrangler.toml",
};

const inside = (file: string): string => join(import.meta.dirname, "inside", file);

type Config = Awaited<ReturnType<typeof loadWorker>>;
/** Text of a module in this folder that exports the objects of a Worker, and its `handler` as a constant. */
export type Entry = (worker: Config) => string;

const own: Entry = ({ main }) => {
  const path = JSON.stringify(`./${relative(import.meta.dirname, main)}`);
  return `import handler from ${path};\nexport * from ${path};`;
};

/** Builds a Worker with objects under the rules of the simulated platform. */
export const buildSimulated = async (name: WorkerName, entry = own) => {
  const worker = await loadWorker(CONFIGS[name]);
  const folder = import.meta.dirname;
  const text = `import "./inside/event.ts";
import { control } from "./inside/control.ts";
${entry(worker)}
export default control(${JSON.stringify(name)}, handler);`;
  const replaced = Object.entries(worker.alias ?? {}).map(([from, to]) => [
    from,
    resolve(dirname(worker.configPath), to),
  ]);
  const script = await bundle(
    { text, folder },
    {
      ...Object.fromEntries(replaced),
      "cloudflare:workers": inside("workers.ts"),
      ...(name === "email" ? { "cloudflare:sockets": inside("sockets.ts") } : {}),
    },
  );
  return { ...worker, script, compatibility_flags: [...worker.compatibility_flags, "nodejs_als"] };
};

const built = new Map<WorkerName, ReturnType<typeof buildSimulated>>();
/** A Worker of the product on the simulated platform. It is built once in a process. */
export const simulated = (name: WorkerName): ReturnType<typeof buildSimulated> => {
  const worker = built.get(name) ?? buildSimulated(name);
  built.set(name, worker);
  return worker;
};

/** Workers in one workerd, each with rules and counts of its own. A binding to a Worker that does not run is left out. */
export const startSimulated = async (
  given: Partial<Record<WorkerName, Record<string, unknown>>>,
  load: typeof simulated = simulated,
) => {
  const folder = await mkdtemp(join(tmpdir(), "mailspan-platform-"));
  const names = Object.keys(given) as WorkerName[];
  const all = await Promise.all(names.map(async (name) => ({ name, worker: await load(name) })));
  const running = new Set(all.map(({ worker }) => worker.name));
  const workers = all.map(({ name, worker }) => {
    const services = (worker.services ?? []).filter(({ service }) => running.has(service));
    return workerOptions({ ...worker, services }, given[name] ?? {}, 0);
  });
  const logs: string[] = [];
  const options = convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers });
  const miniflare = new Miniflare(
    Object.assign(options, {
      resourcePersistencePath: folder,
      logRequests: false,
      handleStructuredLogs: ({ message }: { message: string }) => logs.push(message),
    }),
  );
  await miniflare.ready;
  const urls = await Promise.all(
    all.map(async ({ name, worker }) => [name, (await miniflare.unsafeGetDirectURL(worker.name)).origin] as const),
  );
  const url = (name: WorkerName): string => urls.find(([own]) => own === name)?.[1] ?? "";
  const ask = async (name: WorkerName, rules?: Rules): Promise<Counts> => {
    const request = rules && { method: "POST", body: JSON.stringify(rules) };
    return (await (await fetch(`${url(name)}/__platform`, request)).json()) as Counts;
  };
  return {
    url,
    logs,
    rules: ask,
    counts: (name: WorkerName) => ask(name),
    cron: (name: WorkerName) => fetch(`${url(name)}/__platform/cron`, { method: "POST" }),
    /** Resets one object alone. */
    die: (name: WorkerName, binding: string, object: string) =>
      fetch(`${url(name)}/__platform/die?binding=${binding}&name=${encodeURIComponent(object)}`, { method: "POST" }),
    stop: async () => {
      await miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
