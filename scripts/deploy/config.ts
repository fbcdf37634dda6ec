import { dirname, join, resolve } from "node:path";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { sampleFiles } from "../lib/sample-files.ts";
import { record } from "./record.ts";
import { ROOT } from "./run.ts";
import { writePrivate } from "./temporary.ts";

export type Worker = { name: string; path: string; raw: Record<string, unknown> };

export type Workers = { bridge: Worker; email: Worker; dashboard: Worker };

export const readWorkers = (root: string = ROOT): Workers => ({
  bridge: readWorker(join(root, "wrangler.toml")),
  email: readWorker(join(root, "src/email/wrangler.toml")),
  dashboard: readWorker(join(root, "src/dashboard/wrangler.toml")),
});

const readWorker = (path: string): Worker => {
  const raw = readRawConfig({ config: path }).rawConfig as Record<string, unknown>;
  if (typeof raw.name !== "string") throw new Error(`${path} gives the Worker no name.`);
  return { name: raw.name, path, raw };
};

export const varsOf = ({ raw }: Worker): Record<string, unknown> => record(raw.vars);

/** Variables that differ with another email service. */
type ServiceVars = {
  EMAIL_API_URL: string;
  CONTACT_PROPERTIES: string;
  TEMPLATES: Record<string, string>;
};

/** The option `--var` of wrangler cannot remove a binding. */
export const changed = (
  worker: Worker,
  changes: Record<string, unknown>,
  folder: string,
  file = "wrangler.json",
): Worker => {
  // Relative paths must be resolved against the original folder.
  const moved = (path: unknown) => resolve(dirname(worker.path), String(path));
  const { assets } = worker.raw;
  const raw: Record<string, unknown> = {
    ...worker.raw,
    main: moved(worker.raw.main),
    alias: Object.fromEntries(Object.entries(record(worker.raw.alias)).map(([text, path]) => [text, moved(path)])),
    ...(assets === undefined ? {} : { assets: { ...record(assets), directory: moved(record(assets).directory) } }),
    ...changes,
  };
  return { name: worker.name, path: writePrivate(folder, file, JSON.stringify(raw, null, 2)), raw };
};

/**
 * Removes the binding, because Cloudflare refuses bindings to missing Workers. `--var` cannot set the TEMPLATES
 * table.
 */
export const hostedBridge = (bridge: Worker, email: Worker, vars: ServiceVars, folder: string): Worker => {
  const services = (Array.isArray(bridge.raw.services) ? bridge.raw.services : []).filter(
    (service) => record(service).service !== email.name,
  );
  return changed(bridge, { services, vars: { ...varsOf(bridge), ...vars } }, folder);
};

/** Queue of the delivery events of Cloudflare Email Service. */
export const eventsQueueOf = ({ name }: Worker): string => `${name}-events`;

/** Events are kept for four days; the Worker itself gives up those of unknown mails. */
const CONSUMER = { max_batch_size: 10, max_batch_timeout: 5, max_retries: 100, retry_delay: 300 };

/** Bindings of Cloudflare Email Service: mail out, and its delivery events in. Bindings of the configuration stay. */
export const emailServiceOf = (email: Worker): Record<string, unknown> => {
  const queue = eventsQueueOf(email);
  return {
    ...(email.raw.send_email === undefined ? { send_email: [{ name: "EMAIL" }] } : {}),
    ...(email.raw.queues === undefined
      ? { queues: { producers: [{ binding: "EMAIL_EVENTS", queue }], consumers: [{ queue, ...CONSUMER }] } }
      : {}),
  };
};

/** Cloudflare refuses a binding to a missing bucket. */
export const emailFor = (
  email: Worker,
  { hasBucket, hasEmailService }: { hasBucket: boolean; hasEmailService: boolean },
  folder: string,
): Worker => {
  const changes = {
    ...(hasBucket ? {} : { r2_buckets: [] }),
    ...(hasEmailService ? emailServiceOf(email) : {}),
  };
  return Object.keys(changes).length === 0 ? email : changed(email, changes, folder);
};

/** Cloudflare refuses bindings to missing Workers. */
export const dashboardFor = (
  { dashboard, bridge, email }: Workers,
  { hasBridge, hasEmail }: { hasBridge: boolean; hasEmail: boolean },
  folder: string,
): Worker => {
  const missing = new Set([...(hasBridge ? [] : [bridge.name]), ...(hasEmail ? [] : [email.name])]);
  if (missing.size === 0) return dashboard;
  const services = (Array.isArray(dashboard.raw.services) ? dashboard.raw.services : []).filter(
    (service) => !missing.has(String(record(service).service)),
  );
  return changed(dashboard, { services }, folder, "dashboard.json");
};

export const bucketOf = ({ raw }: Worker): string | undefined => {
  const name = Array.isArray(raw.r2_buckets) ? record(raw.r2_buckets[0]).bucket_name : undefined;
  return typeof name === "string" ? name : undefined;
};

/** Sample ids are emptied, because another email service lacks them. */
export const templatesElsewhere = (bridge: Worker): Record<string, string> => {
  const own = new Set(sampleFiles.map(({ id }) => id));
  return Object.fromEntries(
    Object.entries(record(varsOf(bridge).TEMPLATES)).map(([name, id]) => [name, own.has(String(id)) ? "" : String(id)]),
  );
};
