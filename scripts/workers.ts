import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig as readConfig } from "wrangler";
import { writeAssets } from "./assets.ts";
import { bundle, modulesOf } from "./bundle.ts";

const root = join(import.meta.dirname, "..");

type Port = number;

type WorkersOptions = {
  /** Ports on 127.0.0.1; 0 takes a free one. */
  port: Port;
  emailPort: Port;
  /** Folder that keeps the state of both Workers. */
  state: string;
  /** Secrets and variables by name, beside those of each wrangler.toml. */
  bridgeVars: Record<string, unknown>;
  emailVars: Record<string, unknown>;
  /** Print what the Workers log. */
  log?: (line: string) => void;
};

export type Workers = {
  url: string;
  emailUrl: string;
  /** Builds them anew and starts them again in place, with other variables if given; state and ports stay. */
  restart(changes?: Partial<Pick<WorkersOptions, "bridgeVars" | "emailVars">>): Promise<void>;
  stop(): Promise<void>;
};

/** What is read of a wrangler.toml. */
type Config = {
  configPath: string;
  name: string;
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Record<string, unknown>;
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes?: string[] }[];
  services?: { binding: string; service: string }[];
  assets?: { directory?: string; binding?: string; html_handling?: string };
};

/**
 * Runs both Workers in one local workerd, each at a port of its own and without a proxy in between, from the same
 * wrangler.toml files that are deployed. Contacts nothing off the machine.
 */
export const startWorkers = async (options: WorkersOptions): Promise<Workers> => {
  const build = () => Promise.all([load("wrangler.toml"), load("src/email/wrangler.toml")]);
  let [bridge, email] = await build();
  let current = options;
  let ports = [options.port, options.emailPort] as const;
  const miniflareOptions = () => {
    const converted = convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      workers: [worker(bridge, current.bridgeVars, ports[0]), worker(email, current.emailVars, ports[1])],
    });
    return Object.assign(converted, {
      resourcePersistencePath: options.state,
      logRequests: false,
      handleStructuredLogs: ({ message }: { message: string }) => options.log?.(message),
    });
  };
  const miniflare = new Miniflare(miniflareOptions());
  await miniflare.ready;
  const urls = await Promise.all([bridge, email].map(({ name }) => miniflare.unsafeGetDirectURL(name)));
  ports = urls.map((url) => Number(url.port)) as unknown as readonly [Port, Port];
  return {
    url: `http://127.0.0.1:${ports[0]}`,
    emailUrl: `http://127.0.0.1:${ports[1]}`,
    restart: async (changes = {}) => {
      [bridge, email] = await build();
      current = { ...current, ...changes };
      await miniflare.setOptions(miniflareOptions());
    },
    stop: () => miniflare.dispose(),
  };
};

/** Reads a wrangler.toml and bundles the Worker it names. */
const load = async (path: string): Promise<Config & { script: string }> => {
  const config = readConfig({ config: join(root, path) }) as unknown as Config;
  if (config.assets) writeAssets();
  return { ...config, script: await bundle(config.main) };
};

/** One Worker for Miniflare, from its wrangler.toml. */
const worker = (config: Config & { script: string }, vars: Record<string, unknown>, port: Port) => {
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
    ...assetsOf(config),
    serviceBindings: Object.fromEntries((config.services ?? []).map(({ binding, service }) => [binding, service])),
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
};

/** The files a Worker serves, every request first to the Worker itself (`run_worker_first`). */
const assetsOf = ({ assets, configPath }: Config) =>
  assets?.directory && assets.binding
    ? {
        assets: {
          directory: join(dirname(configPath), assets.directory),
          binding: assets.binding,
          routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
          assetConfig: { html_handling: assets.html_handling },
        },
      }
    : {};
