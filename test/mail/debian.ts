import { spawnSync } from "node:child_process";
import { writeSync } from "node:fs";

const ok = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Debian's Python: only it has the packages of apt. */
export const PYTHON = "/usr/bin/python3";

const TOOLS = [
  { name: "python3-dkim", has: () => ok(PYTHON, ["-c", "import dkim"]) },
  { name: "spamassassin", has: () => ok("spamassassin", ["--version"]) },
];

export const aptInstall = (packages: readonly string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { env });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env });
};

/** Installs missing tools with apt. Returns false if that is impossible, and fails in CI. */
export const installTools = (): boolean => {
  const missing = TOOLS.filter(({ has }) => !has()).map(({ name }) => name);
  if (missing.length === 0) return true;
  aptInstall(missing);
  const lacking = TOOLS.filter(({ has }) => !has()).map(({ name }) => name);
  if (lacking.length === 0) return true;
  if (process.env.CI) throw new Error(`apt-get does not give ${lacking.join(" and ")}.`);
  // Written directly: vitest hides the output of passing tests.
  writeSync(2, `\n*** Mail: NOT tested on this machine. apt-get does not give ${lacking.join(" and ")}. ***\n\n`);
  return false;
};
