// Installs the locked packages that node_modules lacks: those that run the Workers; with --all those of tests and checks too, with
// --dashboard those that the dashboard's page is built from.
// Runs on the machine's own Node (20 or newer); what it installs brings Node 26 for everything that follows.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** npm's own list of what it installed. It writes this file as the last step of an install. */
const LIST = `${root}node_modules/.package-lock.json`;

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

const installed = existsSync(LIST) ? packagesOf(LIST) : {};
// Optional packages that are not installed are left out: most of them are for other platforms.
const isThere = ([path]) => existsSync(`${root}${path}/package.json`);
const locked = Object.entries(packagesOf(`${root}package-lock.json`)).filter(
  ([path, { link, optional }]) => path.includes("node_modules/") && !link && (!optional || isThere([path])),
);
const isInstalled = (entry) => {
  const [path, { version, integrity }] = entry;
  return isThere(entry) && installed[path]?.version === version && installed[path]?.integrity === integrity;
};
// devOptional: an optional package needs it too, perhaps one for another platform.
const isForTests = ([, { dev, devOptional }]) => Boolean(dev || devOptional);
const running = locked.filter((entry) => !isForTests(entry));

const install = (...args) => {
  // An install that is interrupted leaves no list, and the next run starts from nothing.
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

/** The locked packages that the dashboard's page needs, with those that these need. */
const ofPage = () => {
  const packages = packagesOf(`${root}package-lock.json`);
  const needed = new Set();
  /** Where a package finds another one: in its own folder, or in one above. */
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
  // Adds what is missing; npm ci would first remove what is there.
  if (running.every(isInstalled)) install("install", "--no-save", "--include=dev");
  // Packages of tests that are there come back with the others.
  else if (all || locked.some((entry) => entry[1].dev && isThere(entry))) install("ci", "--include=dev");
  else install("ci", "--omit=dev");
}
