// Installs locked packages: for Workers; with --all for tests and checks; with --dashboard for the page. Needs Node
// 20; installs Node 26.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** npm writes this list as the last step of an install. */
const LIST = `${root}node_modules/.package-lock.json`;

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

const installed = existsSync(LIST) ? packagesOf(LIST) : {};
// Most missing optional packages are for other platforms.
const isThere = ([path]) => existsSync(`${root}${path}/package.json`);
const locked = Object.entries(packagesOf(`${root}package-lock.json`)).filter(
  ([path, { link, optional }]) => path.includes("node_modules/") && !link && (!optional || isThere([path])),
);
const isInstalled = (entry) => {
  const [path, { version, integrity }] = entry;
  return isThere(entry) && installed[path]?.version === version && installed[path]?.integrity === integrity;
};
// devOptional: an optional package needs it too, perhaps for another platform.
const isForTests = ([, { dev, devOptional }]) => Boolean(dev || devOptional);
const running = locked.filter((entry) => !isForTests(entry));

const install = (...args) => {
  // An interrupted install leaves no list, so the next run starts fresh.
  rmSync(LIST, { force: true });
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  console.log(`Installing the locked packages (npm ${args.join(" ")}) …`);
  const { status } = spawnSync(command, [...first, ...args, "--include=optional", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: command === "npm" && process.platform === "win32",
  });
  if (status === 0) return;
  console.error("npm failed; the lines above say why.");
  process.exit(status ?? 1);
};

const ofPage = () => {
  const packages = packagesOf(`${root}package-lock.json`);
  const needed = new Set();
  const find = (from, name) => {
    for (let at = from; ; at = at.slice(0, at.lastIndexOf("node_modules/")).replace(/\/$/, "")) {
      const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
      if (packages[path]) return path;
      if (!at.includes("node_modules/")) return at === "" ? undefined : find("", name);
    }
  };
  const add = (from, names) => {
    for (const name of Object.keys(names ?? {})) {
      const path = find(from, name);
      if (path === undefined || needed.has(path)) continue;
      needed.add(path);
      add(path, { ...packages[path].dependencies, ...packages[path].optionalDependencies });
    }
  };
  add("src/dashboard/app", packages["src/dashboard/app"].devDependencies);
  return locked.filter(([path]) => needed.has(path));
};

const all = process.argv.includes("--all");

if (process.argv.includes("--dashboard") && !ofPage().every(isInstalled))
  install("install", "--no-save", "--include=dev", "-w", "src/dashboard/app");

if (!(all ? locked : running).every(isInstalled)) {
  // npm ci would first remove existing packages.
  if (running.every(isInstalled)) install("install", "--no-save", "--include=dev");
  // Existing test packages are reinstalled with the others.
  else if (all || locked.some((entry) => entry[1].dev && isThere(entry))) install("ci", "--include=dev");
  else install("ci", "--omit=dev");
}
