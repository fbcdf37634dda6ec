import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readDevVars } from "../../scripts/dev-vars.ts";

const root = join(import.meta.dirname, "..", "..");
const left = new Set(["node_modules", ".git", ".wrangler", ".dev.vars", ".test-build", "dist", "coverage"]);

/** A copy of the repository as a fresh clone has it. Only node_modules is shared. */
export const cloneRepository = async () => {
  const path = await mkdtemp(join(tmpdir(), "mailspan-clone-"));
  await cp(root, path, { recursive: true, filter: (source) => source === root || !left.has(basename(source)) });
  await symlink(join(root, "node_modules"), join(path, "node_modules"));
  return {
    path,
    vars: () => readDevVars(join(path, ".dev.vars")),
    remove: () => rm(path, { recursive: true, force: true }),
  };
};

/** A free port. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

export type Running = { child: ChildProcess; output: () => string; kill(signal: NodeJS.Signals): Promise<void> };

/** Runs `npm start` in a clone, in its own process group. Resolves when it prints `ready`. */
export const npmStart = (
  path: string,
  env: Record<string, string>,
  args: string[],
  ready: string,
): Promise<Running> => {
  const child = spawn("npm", ["start", ...(args.length > 0 ? ["--", ...args] : [])], {
    cwd: path,
    env: { ...process.env, ...env },
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
