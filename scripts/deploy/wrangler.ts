import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { changed, type Worker } from "./config.ts";
import { DeployError, type Finished, type Run } from "./io.ts";
import { record } from "./record.ts";
import { withFolder, writePrivate } from "./temporary.ts";

const outputOf = ({ stdout, stderr }: Finished): string =>
  stripVTControlCharacters(stderr.trim() || stdout.trim()) || "wrangler printed nothing.";

/** The command may print notes around the JSON. */
const jsonIn = (text: string): unknown => {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
};

export type Login = { email?: string; accounts: { id: string; name: string }[] };

/** Returns the login of wrangler, or undefined. */
export const whoami = async (run: Run): Promise<Login | undefined> => {
  const finished = await run("wrangler", ["whoami", "--json"]);
  const answer = record(jsonIn(finished.stdout));
  if (answer.loggedIn === false) return undefined;
  if (finished.code !== 0 || answer.loggedIn !== true) {
    throw new DeployError(
      outputOf(finished),
      "Check the network and the login (npx wrangler whoami), then run this again.",
    );
  }
  const accounts = Array.isArray(answer.accounts) ? (answer.accounts as Login["accounts"]) : [];
  return { accounts, ...(typeof answer.email === "string" ? { email: answer.email } : {}) };
};

/** Returns the names of a Worker's secrets; undefined without the Worker. */
export const deployedSecrets = async (
  run: Run,
  worker: Worker,
  env: Record<string, string>,
): Promise<Set<string> | undefined> => {
  const finished = await run("wrangler", ["secret", "list", "--format", "json", "--config", worker.path], { env });
  const list = finished.code === 0 ? jsonIn(finished.stdout) : undefined;
  if (Array.isArray(list)) return new Set(list.map((secret) => String(record(secret).name)));
  if (/Worker "[^"]*".* not found/s.test(outputOf(finished))) return undefined;
  // A wrong guess would replace API_KEY_SECRET, and with it every API key.
  throw new DeployError(outputOf(finished), `Nothing was changed. Run this again when ${worker.name} can be read.`);
};

/** Returns the deployed variables; undefined if unreadable. */
export const deployedVars = async (
  run: Run,
  worker: Worker,
  env: Record<string, string>,
): Promise<Record<string, unknown> | undefined> => {
  const config = ["--json", "--config", worker.path];
  const status = await run("wrangler", ["deployments", "status", ...config], { env });
  const versions = record(jsonIn(status.stdout)).versions;
  const id = Array.isArray(versions) ? record(versions[0]).version_id : undefined;
  if (status.code !== 0 || typeof id !== "string") return undefined;
  const version = await run("wrangler", ["versions", "view", id, ...config], { env });
  const { bindings } = record(record(jsonIn(version.stdout)).resources);
  if (version.code !== 0 || !Array.isArray(bindings)) return undefined;
  const entries = bindings.map(record).flatMap(({ type, name, text, json }) => {
    if (type === "plain_text") return [[String(name), text] as const];
    return type === "json" ? [[String(name), json] as const] : [];
  });
  return Object.fromEntries(entries);
};

/** Creates an R2 bucket. `no R2`: Cloudflare's error 10042. */
export const createBucket = async (
  run: Run,
  name: string,
  env: Record<string, string>,
): Promise<"created" | "exists" | "no R2" | { error: string }> => {
  const finished = await run("wrangler", ["r2", "bucket", "create", name], { env });
  if (finished.code === 0) return "created";
  if (/\b10042\b/.test(outputOf(finished))) return "no R2";
  const info = await run("wrangler", ["r2", "bucket", "info", name], { env });
  return info.code === 0 ? "exists" : { error: outputOf(finished) };
};

/** Creates a queue, or finds it. */
export const createQueue = async (
  run: Run,
  name: string,
  env: Record<string, string>,
): Promise<"created" | "exists" | { error: string }> => {
  const finished = await run("wrangler", ["queues", "create", name], { env });
  if (finished.code === 0) return "created";
  const info = await run("wrangler", ["queues", "info", name], { env });
  return info.code === 0 ? "exists" : { error: outputOf(finished) };
};

/** The `deploy` line in wrangler's output file. `targets`: addresses, schedules and so on. */
type Deployed = { targets?: string[]; bundle_size?: { raw_bytes: number; gzip_bytes: number } };

/** `entry`: line of WRANGLER_OUTPUT_FILE_PATH, or empty. */
const wranglerDeploy = (
  run: Run,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ finished: Finished; entry: Deployed }> =>
  withFolder(async (folder) => {
    const file = join(folder, "output.ndjson");
    const finished = await run("wrangler", ["deploy", ...args], { env: { ...env, WRANGLER_OUTPUT_FILE_PATH: file } });
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    const entries = lines.map((line) => record(JSON.parse(line)));
    return { finished, entry: entries.find(({ type }) => type === "deploy") ?? {} };
  });

/** Cloudflare's refusal of [limits] in its Free plan: https://github.com/cloudflare/workers-sdk/issues/8756 */
const FREE_PLAN = /\b100328\b/;

/** Deploys a Worker with its secrets in one version. Existing secrets stay. Returns its address, or undefined. */
export const deployWorker = (
  run: Run,
  worker: Worker,
  secrets: Record<string, string>,
  env: Record<string, string>,
  vars: Record<string, string> = {},
): Promise<string | undefined> =>
  withFolder(async (folder) => {
    // JSON, because wrangler expands $ in the .env format and prefers environment values.
    const file = Object.keys(secrets).length
      ? ["--secrets-file", writePrivate(folder, "secrets.json", JSON.stringify(secrets))]
      : [];
    const varArgs = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
    const deployFrom = (path: string) => wranglerDeploy(run, ["--config", path, ...file, ...varArgs], env);
    let deployed = await deployFrom(worker.path);
    if (FREE_PLAN.test(outputOf(deployed.finished)))
      deployed = await deployFrom(changed(worker, { limits: undefined }, folder).path);
    const { finished, entry } = deployed;
    if (finished.code === 0) return addressIn(entry.targets ?? []);
    throw new DeployError(
      `wrangler deploy of ${worker.name} failed:\n${outputOf(finished)}`,
      "Fix the error of wrangler and run this again: everything deployed so far is kept.",
    );
  });

/** Routes are patterns and give no address. */
const addressIn = (targets: readonly string[]): string | undefined => {
  const find = (pattern: RegExp) => targets.flatMap((target) => pattern.exec(target)?.[1] ?? [])[0];
  const host = find(/^(\S+) \(custom domain/) ?? find(/^https:\/\/(\S+\.workers\.dev)$/);
  return host === undefined ? undefined : `https://${host}`;
};

/** Upload size in bytes, or the bundle error. */
export type Bundle = { size: number; compressed: number } | { error: string };

/** Works offline, without an account. */
export const bundleWorker = async (run: Run, worker: Worker): Promise<Bundle> => {
  const { finished, entry } = await wranglerDeploy(run, ["--dry-run", "--config", worker.path], {});
  if (finished.code !== 0 || !entry.bundle_size) return { error: outputOf(finished) };
  return { size: entry.bundle_size.raw_bytes, compressed: entry.bundle_size.gzip_bytes };
};
