import { spawnSync } from "node:child_process";
import { writeSync } from "node:fs";

const ok = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Debian's own Python: packages of apt are only there. */
export const PYTHON = "/usr/bin/python3";

const TOOLS = [
  { name: "python3-dkim", has: () => ok(PYTHON, ["-c", "import dkim"]) },
  { name: "spamassassin", has: () => ok("spamassassin", ["--version"]) },
];

/** Installs packages with apt, where this process may. */
export const aptInstall = (packages: readonly string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { env });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env });
};

/** Installs what is missing with apt. False, and said on the terminal, where that is not possible; an error in CI. */
export const installTools = (): boolean => {
  const missing = TOOLS.filter(({ has }) => !has()).map(({ name }) => name);
  if (missing.length === 0) return true;
  aptInstall(missing);
  const lacking = TOOLS.filter(({ has }) => !has()).map(({ name }) => name);
  if (lacking.length === 0) return true;
  if (process.env.CI) throw new Error(`apt-get does not give ${lacking.join(" and ")}.`);
  // Written directly: vitest hides the output of tests that pass.
  writeSync(2, `\n*** Mail: NOT tested on this machine. apt-get does not give ${lacking.join(" and ")}. ***\n\n`);
  return false;
};
