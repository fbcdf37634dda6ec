import { exec } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { getCACertificates } from "node:tls";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig as readConfig } from "wrangler";
import { PRIVATE_NETWORKS } from "../src/email/notifier/private-networks.ts";
import { DISK_EVENTS, type DiskState } from "../src/lib/util/full-disk.ts";
import { writeAssets } from "./assets.ts";
import { bundle, modulesOf } from "./bundle.ts";

const root = join(import.meta.dirname, "..");
const OWN_CONFIGS = {
  bridge: "wrangler.toml",
  email: "src/email/wrangler.toml",
  dashboard: "src/dashboard/wrangler.toml",
};

type Vars = Record<string, unknown>;

export type WorkerVars = {
  /** The function runs after the email service starts and before the bridge. */
  bridgeVars: Vars | ((emailUrl: string) => Promise<Vars>);
  emailVars: Vars;
};

type WorkersOptions = WorkerVars & {
  /** Ports on 127.0.0.1; 0 takes a free one. */
  port: number;
  emailPort: number;
  state: string;
  dashboard?: { port: number; vars: Vars };
  configs?: { bridge: string; email: string; dashboard: string };
  log?: (line: string) => void;
  /** Builds a Worker for the first start. A restart always builds from the files. */
  load?: typeof loadWorker;
};

export type Workers = {
  url: string;
  emailUrl: string;
  dashboardUrl: string | undefined;
  /** Keeps state and ports. */
  restart(changes?: Partial<WorkerVars>): Promise<void>;
  /** Tells the bridge and the email service that the disk of the state is full, its reserve low, or has room again. */
  sayDisk(how: DiskState): Promise<void>;
  /** Hands a mail to the email service, as Email Routing does. Returns why it was rejected. */
  deliver(mail: { from: string; to: string; raw: Uint8Array }): Promise<string | undefined>;
  stop(): Promise<void>;
};

type Config = {
  configPath: string;
  name: string;
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Vars;
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes?: string[] }[];
  r2_buckets?: { binding: string; bucket_name?: string }[];
  services?: { binding: string; service: string }[];
  build?: { command?: string };
  alias?: Record<string, string>;
  assets?: { directory?: string; binding?: string; html_handling?: string };
};

/** Runs the Workers in one local workerd from their wrangler.toml files. Contacts nothing off the machine. */
export const startWorkers = async ({ state, log, ...options }: WorkersOptions): Promise<Workers> => {
  keepPrivate(state);
  const ports = { bridge: options.port, email: options.emailPort, dashboard: options.dashboard?.port ?? 0 };
  const address = (port: number) => `http://127.0.0.1:${port}`;
  let { emailVars } = options;
  let bridgeVars: Vars = {};
  let miniflare: Miniflare | undefined;
  let running: LocalWorker[] = [];

  const run = async (workers: LocalWorker[]): Promise<number[]> => {
    const converted = convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers });
    const all = Object.assign(converted, {
      resourcePersistencePath: state,
      logRequests: false,
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ message }: { message: string }) => log?.(message),
    });
    if (miniflare) await miniflare.setOptions(all);
    else miniflare = new Miniflare(all);
    const current = miniflare;
    await current.ready;
    return Promise.all(workers.map(async ({ name }) => Number((await current.unsafeGetDirectURL(name)).port)));
  };
  const configs = options.configs ?? OWN_CONFIGS;
  const { dashboard: shown } = options;
  const build = (load = loadWorker) =>
    Promise.all([load(configs.bridge), load(configs.email), ...(shown ? [load(configs.dashboard)] : [])]);
  // The local inbox links to the dashboard.
  const varsOfEmail = (): Vars =>
    ports.dashboard === 0 ? emailVars : { DASHBOARD_URL: address(ports.dashboard), ...emailVars };
  const start = async (
    [bridge, email, dashboard]: Awaited<ReturnType<typeof build>>,
    given: WorkerVars["bridgeVars"],
  ) => {
    if (typeof given === "function") {
      [ports.email = 0] = await run([workerOptions(email, varsOfEmail(), ports.email)]);
      bridgeVars = await given(address(ports.email));
    } else bridgeVars = given;
    const all = () => [
      workerOptions(email, varsOfEmail(), ports.email),
      workerOptions(bridge, bridgeVars, ports.bridge),
      ...(dashboard && shown ? [workerOptions(dashboard, shown.vars, ports.dashboard)] : []),
    ];
    [ports.email = 0, ports.bridge = 0, ports.dashboard = 0] = await run(all());
    running = all();
  };

  try {
    await start(await build(options.load), options.bridgeVars);
  } catch (error) {
    await miniflare?.dispose();
    throw error;
  }
  return {
    url: address(ports.bridge),
    emailUrl: address(ports.email),
    dashboardUrl: shown ? address(ports.dashboard) : undefined,
    restart: async (changes = {}) => {
      const built = await build();
      const before = { emailVars, bridgeVars };
      try {
        emailVars = changes.emailVars ?? emailVars;
        await start(built, changes.bridgeVars ?? bridgeVars);
      } catch (error) {
        ({ emailVars, bridgeVars } = before);
        await run(running);
        throw error;
      }
    },
    sayDisk: async (how) => {
      const event = { cron: DISK_EVENTS[how] };
      for (const { name } of running.slice(0, 2)) await (await miniflare?.getWorker(name))?.scheduled(event);
    },
    deliver: async ({ from, to, raw }) => {
      if (!miniflare) throw new Error("The Workers do not run.");
      const query = new URLSearchParams({ from, to, format: "json" });
      const url = `http://localhost/cdn-cgi/local/email?${query}`;
      const answer = await miniflare.dispatchFetch(url, { method: "POST", body: new Uint8Array(raw) });
      const { outcome, rejectReason } = (await answer.json()) as { outcome: string; rejectReason?: string };
      if (outcome !== "ok") throw new Error(`email() failed: ${outcome}`);
      return rejectReason;
    },
    stop: async () => await miniflare?.dispose(),
  };
};

/** The state has addresses, mail and API key hashes. */
const keepPrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
};

/**
 * Builds and bundles a Worker.
 * @param replaced replacement file path by import text
 */
export const loadWorker = async (
  path: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<Config & { script: string }> => {
  const config = readConfig({ config: resolve(root, path) }) as unknown as Config;
  if (config.assets?.directory) {
    const folder = resolve(dirname(config.configPath), config.assets.directory);
    // The dashboard page may not be built yet.
    mkdirSync(folder, { recursive: true });
    writeAssets();
  }
  if (config.build?.command) await promisify(exec)(config.build.command, { cwd: root });
  const alias = Object.entries(config.alias ?? {}).map(([text, to]) => [text, resolve(dirname(config.configPath), to)]);
  return { ...config, script: await bundle(config.main, { ...Object.fromEntries(alias), ...replaced }) };
};

type LocalWorker = ReturnType<typeof workerOptions>;

/** Connections to the public internet, with the certificates that workerd trusts by default. */
const PUBLIC_NETWORK = {
  allow: ["public"],
  deny: [...PRIVATE_NETWORKS],
  tlsOptions: { trustBrowserCas: true, trustedCertificates: getCACertificates("extra") },
};

export const workerOptions = (config: Config & { script: string }, vars: Vars, port: number) => {
  const sqlite = new Set(config.migrations.flatMap((migration) => migration.new_sqlite_classes ?? []));
  return {
    name: config.name,
    modules: modulesOf(config.script),
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { ...config.vars, ...vars } as Record<string, never>,
    durableObjects: Object.fromEntries(
      config.durable_objects.bindings.map(({ name: binding, class_name }) => [
        binding,
        { className: class_name, useSQLite: sqlite.has(class_name) },
      ]),
    ),
    r2Buckets: Object.fromEntries(
      (config.r2_buckets ?? []).map(({ binding, bucket_name }) => [binding, bucket_name ?? binding]),
    ),
    ...assetsOf(config),
    serviceBindings: {
      ...Object.fromEntries((config.services ?? []).map(({ binding, service }) => [binding, service])),
      PUBLIC_NETWORK: { network: PUBLIC_NETWORK },
    },
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
};

/** Every request reaches the Worker first (`run_worker_first`). */
const assetsOf = ({ assets, configPath }: Config) =>
  assets?.directory && assets.binding
    ? {
        assets: {
          directory: resolve(dirname(configPath), assets.directory),
          binding: assets.binding,
          routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
          assetConfig: { html_handling: assets.html_handling },
        },
      }
    : {};
