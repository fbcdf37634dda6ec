import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { withBuildLock } from "../lib/build-lock.ts";

const root = join(import.meta.dirname, "..", "..");
const target = join(root, "dist", "dashboard");
/** Says which source the page was built from. It is beside the page, not in it: the Worker serves what is in there. */
const STAMP = join(root, "dist", "dashboard.version");
/** Only one process builds at a time. */
const LOCK = join(root, "dist", "dashboard.lock");
/** The page is built here, and is in its place only when it is whole. */
const NEW = join(root, "dist", "dashboard.new");
const OLD = join(root, "dist", "dashboard.old");
/** What the page is built from. */
const SOURCES = ["src/dashboard/app", "src/lib", "src/lib/lmx", "package-lock.json"];

const filesIn = (path: string): string[] => {
  try {
    return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [join(root, path)];
  }
};

const versionOfPage = (): string => {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(filesIn).sort()) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest("hex");
};

/** True while dist/dashboard is the page of this source. */
export const isPageBuilt = (): boolean => {
  try {
    return readFileSync(STAMP, "utf8") === versionOfPage();
  } catch {
    return false;
  }
};

/** The files that the page loads at first, and their size together, in kB as gzip. */
const firstLoad = (): number => {
  const names = [...readFileSync(join(target, "index.html"), "utf8").matchAll(/\/(assets\/[\w.-]+\.js)/g)];
  const bytes = names.reduce((sum, [, name = ""]) => sum + gzipSync(readFileSync(join(target, name))).length, 0);
  return Math.round(bytes / 100) / 10;
};

/** Builds the page into a folder of its own, and puts it in the place of the one before. */
const build = async (): Promise<void> => {
  const version = versionOfPage();
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const config = join(root, "src", "dashboard", "app", "vite.config.ts");
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--config", config, "--outDir", NEW, "--logLevel", "error"],
    // A test runner sets another one, with which React is built for its own developers, half as large again.
    { cwd: root, env: { ...process.env, NODE_ENV: "production" } },
  );
  for (const path of [OLD, STAMP]) rmSync(path, { recursive: true, force: true });
  makePageFolder();
  renameSync(target, OLD);
  renameSync(NEW, target);
  writeFileSync(STAMP, version);
  rmSync(OLD, { recursive: true, force: true });
};

/**
 * Builds the page unless it is built. Its packages have to be there: `node scripts/ensure.mjs --dashboard`. Where another process builds it
 * already, this waits for that.
 */
export const buildPage = async (): Promise<{ built: boolean; kilobytes: number }> => {
  const isBuilt = isPageBuilt();
  const built = !isBuilt && (await withBuildLock(LOCK, async () => !isPageBuilt() && build().then(() => true)));
  return { built, kilobytes: firstLoad() };
};

/** Makes the folder of the page: the Worker is bundled with it, also before the page is built. */
export const makePageFolder = (): void => {
  mkdirSync(target, { recursive: true });
};

/** Installs the packages of the page where they are missing, then builds it. */
export const preparePage = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(root, "scripts", "ensure.mjs"), "--dashboard"], { cwd: root });
  await buildPage();
};
