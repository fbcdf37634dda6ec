import { stripVTControlCharacters } from "node:util";
import type { Worker } from "./config.ts";
import { DeployError, type Finished, type Run } from "./io.ts";
import { record } from "./record.ts";
import { withFolder, writePrivate } from "./temporary.ts";

/** What wrangler said, without colours; its errors first. */
export const saidBy = ({ stdout, stderr }: Finished): string =>
  stripVTControlCharacters(stderr.trim() || stdout.trim()) || "wrangler said nothing.";

/** JSON in the output of a command that may print notes around it. */
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

/** Who is logged in; undefined when nobody is. */
export const whoami = async (run: Run): Promise<Login | undefined> => {
  const finished = await run("wrangler", ["whoami", "--json"]);
  const answer = record(jsonIn(finished.stdout));
  if (answer.loggedIn === false) return undefined;
  if (finished.code !== 0 || answer.loggedIn !== true) {
    throw new DeployError(
      saidBy(finished),
      "Check the network and the login (npx wrangler whoami), then run this again.",
    );
  }
  const accounts = Array.isArray(answer.accounts) ? (answer.accounts as Login["accounts"]) : [];
  return { accounts, ...(typeof answer.email === "string" ? { email: answer.email } : {}) };
};

/** Names of the secrets a deployed Worker has; undefined when the Worker does not exist. */
export const deployedSecrets = async (
  run: Run,
  worker: Worker,
  env: Record<string, string>,
): Promise<Set<string> | undefined> => {
  const finished = await run("wrangler", ["secret", "list", "--format", "json", "--config", worker.path], { env });
  const list = finished.code === 0 ? jsonIn(finished.stdout) : undefined;
  if (Array.isArray(list)) return new Set(list.map((secret) => String(record(secret).name)));
  if (/Worker "[^"]*".* not found/s.test(saidBy(finished))) return undefined;
  // To guess that there is none would replace API_KEY_SECRET, and with it every API key.
  throw new DeployError(saidBy(finished), `Nothing was changed. Run this again when ${worker.name} can be read.`);
};

/** Variables of the deployed version; undefined where they cannot be read, which only costs the person some typing. */
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

/**
 * Deploys a Worker together with its secrets, in one version. Secrets it has and that are not among them stay. They
 * go through a file only this user can read, which is removed whatever happens.
 *
 * @returns its address; undefined where wrangler names none that answers at its root
 */
export const deployWorker = (
  run: Run,
  worker: Worker,
  secrets: Record<string, string>,
  env: Record<string, string>,
): Promise<string | undefined> =>
  withFolder(async (folder) => {
    // JSON: of the .env form wrangler would expand $ and prefer the environment's values.
    const file = Object.keys(secrets).length
      ? ["--secrets-file", writePrivate(folder, "secrets.json", JSON.stringify(secrets))]
      : [];
    const finished = await run("wrangler", ["deploy", "--config", worker.path, ...file], { env });
    if (finished.code === 0) return addressIn(finished.stdout);
    throw new DeployError(
      `wrangler deploy of ${worker.name} failed:\n${saidBy(finished)}`,
      "Mend what wrangler names and run this again: what exists is kept.",
    );
  });

/** The address in wrangler's list of triggers: a custom domain before workers.dev. Routes may be anything, so they are asked for. */
const addressIn = (stdout: string): string | undefined => {
  const text = stripVTControlCharacters(stdout);
  const domain = /^\s+(?:https:\/\/)?(\S+) \(custom domain\)/m.exec(text)?.[1];
  return domain ? `https://${domain}` : /https:\/\/[a-z0-9.-]+\.workers\.dev/.exec(text)?.[0];
};
