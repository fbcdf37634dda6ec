// Installs what a command needs, then runs it: node scripts/run.mjs [--all] [--dashboard] <file> [arguments]. Needs
// Node 20; Node 26 runs the command.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const at = given.findIndex((arg) => !arg.startsWith("--"));
const [file = "", ...args] = given.slice(at);
const path = resolve(root, file);

const { status } = spawnSync(process.execPath, [join(root, "scripts/ensure.mjs"), ...given.slice(0, at)], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);

const { optionalDependencies } = JSON.parse(readFileSync(join(root, "scripts/package.json"), "utf8"));
const node = Object.keys(optionalDependencies)
  .flatMap((name) => ["bin/node", "bin/node.exe"].map((binary) => join(root, "node_modules", name, binary)))
  .find((binary) => existsSync(binary));

if (node === undefined || process.versions.node === Object.values(optionalDependencies)[0]) {
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
} else {
  const child = spawn(node, [path, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}
