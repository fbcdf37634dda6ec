import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readDevVars } from "../../scripts/dev-vars.ts";
import { freePort } from "../port.ts";
import type { Mailspan } from "./mailspan.ts";

const root = join(import.meta.dirname, "..", "..");
const left = new Set(["node_modules", ".git", ".wrangler", ".dev.vars", ".test-build", "dist", "coverage"]);

export type Clone = Awaited<ReturnType<typeof cloneRepository>>;

/** A copy of the repository as a fresh clone. Only node_modules is shared. */
export const cloneRepository = async () => {
  const path = await mkdtemp(join(tmpdir(), "mailspan-clone-"));
  await cp(root, path, { recursive: true, filter: (source) => source === root || !left.has(basename(source)) });
  await symlink(join(root, "node_modules"), join(path, "node_modules"));
  return {
    path,
    vars: () => readDevVars(join(path, ".dev.vars")),
    replace: async (file: string, from: string, to: string) => {
      const text = await readFile(join(path, file), "utf8");
      if (!text.includes(from)) throw new Error(`${file} does not have ${from}`);
      await writeFile(join(path, file), text.replace(from, to));
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
};

/** Removes the renewal event from a clone's rules: a renewal makes its receipt alone. */
export const keepReceiptsOnly = ({ replace }: Clone): Promise<void> => {
  const event = 'name: "subscription renewed",\n    on: "invoice.paid",';
  return replace("src/mappings/stripe/invoices.ts", event, event.replace("paid", "voided"));
};

export const startMailspanOf = async ({ path }: Clone): Promise<Mailspan> => {
  const { startMailspan } = (await import(join(path, "test/system/mailspan.ts"))) as typeof import("./mailspan.ts");
  return startMailspan();
};

export type Running = { child: ChildProcess; output: () => string; kill(signal: NodeJS.Signals): Promise<void> };

/**
 * Runs `npm start` in a separate process group. Resolves when it prints `ready`. Without DASHBOARD_PORT, the
 * dashboard gets a free port.
 */
export const npmStart = async (
  path: string,
  env: Record<string, string>,
  args: string[],
  ready: string,
): Promise<Running> => {
  const dashboard = { DASHBOARD_PORT: String(await freePort()) };
  const child = spawn("npm", ["start", ...(args.length > 0 ? ["--", ...args] : [])], {
    cwd: path,
    env: { ...process.env, ...dashboard, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = async (signal: NodeJS.Signals) => {
    // The whole group: npm, its shell, node and workerd.
    if (child.pid) process.kill(-child.pid, signal);
    await ended;
  };
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(ready)) resolve({ child, output: () => text, kill });
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("close", (code) => reject(new Error(`npm start ended with ${code}:\n${text}`)));
  });
};
