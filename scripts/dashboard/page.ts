import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { withBuildLock } from "../lib/build-lock.ts";

const root = join(import.meta.dirname, "..", "..");
const target = join(root, "dist", "dashboard");
/** The source version. It is outside the page folder, because the Worker serves that folder. */
const STAMP = join(root, "dist", "dashboard.version");
const LOCK = join(root, "dist", "dashboard.lock");
/** The page moves into place only when it is complete. */
const NEW = join(root, "dist", "dashboard.new");
const OLD = join(root, "dist", "dashboard.old");
const SOURCES = ["src/dashboard/app", "src/mappings", "src/lib", "src/lib/lmx", "package-lock.json"];

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

export const isPageBuilt = (): boolean => {
  try {
    return readFileSync(STAMP, "utf8") === versionOfPage();
  } catch {
    return false;
  }
};

/** kB as gzip. */
const firstLoad = (): number => {
  const names = [...readFileSync(join(target, "index.html"), "utf8").matchAll(/\/(assets\/[\w.-]+\.js)/g)];
  const bytes = names.reduce((sum, [, name = ""]) => sum + gzipSync(readFileSync(join(target, name))).length, 0);
  return Math.round(bytes / 100) / 10;
};

const build = async (): Promise<void> => {
  const version = versionOfPage();
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const config = join(root, "src", "dashboard", "app", "vite.config.ts");
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--config", config, "--outDir", NEW, "--logLevel", "error"],
    // A test runner sets another value, which makes React half as large again.
    { cwd: root, env: { ...process.env, NODE_ENV: "production" } },
  );
  for (const path of [OLD, STAMP]) rmSync(path, { recursive: true, force: true });
  makePageFolder();
  renameSync(target, OLD);
  renameSync(NEW, target);
  writeFileSync(STAMP, version);
  rmSync(OLD, { recursive: true, force: true });
};

/** Waits if another process builds. Requires `node scripts/ensure.mjs --dashboard`. */
export const buildPage = async (): Promise<{ built: boolean; kilobytes: number }> => {
  const isBuilt = isPageBuilt();
  const built = !isBuilt && (await withBuildLock(LOCK, async () => !isPageBuilt() && build().then(() => true)));
  return { built, kilobytes: firstLoad() };
};

/** Creates the page folder: bundling the Worker needs it. */
export const makePageFolder = (): void => {
  mkdirSync(target, { recursive: true });
};

export const preparePage = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(root, "scripts", "ensure.mjs"), "--dashboard"], { cwd: root });
  await buildPage();
};
