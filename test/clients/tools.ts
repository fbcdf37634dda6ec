import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const folder = join(tmpdir(), "mailspan-clients");

/** Reports an untested part. Writes directly to the terminal: vitest hides the output of passing tests. */
export const sayMissing = (what: string, why: string): void => {
  writeSync(2, `\n*** ${what}: NOT tested on this machine. ${why.trim()} ***\n\n`);
};

type Ran = { ok: boolean; text: string };

export const run = (command: string, args: readonly string[], env: Record<string, string> = {}): Ran => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: tmpdir(),
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 100_000_000,
  });
  return { ok: status === 0, text: error ? error.message : `${stdout}${stderr}` };
};

const endOf = (text: string): string => text.trim().split("\n").slice(-2).join(" ");

/**
 * Installs npm packages without their scripts, and returns the folder that has their node_modules.
 *
 * @param packages with versions, such as "openapi-fetch@0.17.0"
 * @returns a text if the registry does not give them
 */
export const npmPackages = (packages: readonly string[]): { path: string } | { missing: string } => {
  const path = join(folder, `npm-${packages.join("-").replaceAll(/[^\w.]+/g, "-")}`);
  if (existsSync(join(path, "complete"))) return { path };
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "package.json"), '{"private":true,"type":"module"}');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, text } = run("npm", ["install", "--prefix", path, ...flags, ...packages]);
  if (!ok) return { missing: endOf(text) };
  writeFileSync(join(path, "complete"), "");
  return { path };
};

/**
 * Installs one npm package without its scripts, and returns its folder.
 *
 * @returns a text if the registry does not give it
 */
export const npmPackage = (name: string, version: string): { path: string } | { missing: string } => {
  const installed = npmPackages([`${name}@${version}`]);
  return "missing" in installed ? installed : { path: join(installed.path, "node_modules", name) };
};

/**
 * Fetches one Go module into an empty module, and returns its folder.
 *
 * @returns a text if there is no Go, or the module proxy does not give it
 */
export const goModule = (name: string, version: string): { path: string } | { missing: string } => {
  const path = join(folder, `go-${name.replaceAll(/\W/g, "-")}-${version}`);
  if (existsSync(join(path, "go.sum"))) return { path };
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "go.mod"), "module client\n\ngo 1.22\n");
  const { ok, text } = run("go", ["-C", path, "get", `${name}@${version}`]);
  return ok ? { path } : { missing: endOf(text) };
};

/**
 * Installs a Go program, and returns its file. `file`: the last part of the name.
 *
 * @returns a text if there is no Go, or the module proxy does not give it
 */
export const goProgram = (name: string, version: string, file: string): { path: string } | { missing: string } => {
  const path = join(folder, `go-bin-${version}`, file);
  if (existsSync(path)) return { path };
  const { ok, text } = run("go", ["install", `${name}@${version}`], { GOBIN: join(folder, `go-bin-${version}`) });
  return ok ? { path } : { missing: endOf(text) };
};

const pyenv = join(homedir(), ".pyenv", "versions");
/** Possible commands of Python 3.12 or newer, which the packages need. PYTHON names another one. */
const pythons = [
  process.env.PYTHON,
  "python3",
  "python3.14",
  "python3.13",
  "python3.12",
  ...(existsSync(pyenv) ? readdirSync(pyenv).map((version) => join(pyenv, version, "bin", "python")) : []),
];
const NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 12))";

/**
 * Installs Python packages into a new environment, and returns its folder of programs.
 *
 * @param packages with versions, such as "pyloops==1.22.6"
 * @returns a text if there is no Python, or the registry does not give them
 */
export const pythonPackages = (packages: readonly string[]): { bin: string } | { missing: string } => {
  const environment = join(folder, `python-${packages.join("-").replaceAll(/[^\w.-]/g, "")}`);
  const bin = join(environment, "bin");
  if (existsSync(join(environment, "complete"))) return { bin };
  const python = pythons.find((command) => command && run(command, ["-c", NEW_ENOUGH]).ok);
  if (!python) return { missing: "There is no Python 3.12 or newer; PYTHON can name one." };
  const made = run(python, ["-m", "venv", "--clear", environment]);
  if (!made.ok) return { missing: endOf(made.text) };
  const { ok, text } = run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]);
  if (!ok) return { missing: endOf(text) };
  writeFileSync(join(environment, "complete"), "");
  return { bin };
};
