// Installs the pinned dependencies when node_modules does not match package-lock.json.
// Runs on the machine's own Node (20 or newer); what it installs brings Node 24 for everything that follows.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.lock-hash`;
const hash = createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
  console.log("Installing the pinned dependencies (npm ci) …");
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const { status } = spawnSync(command, [...args, "ci", "--loglevel=error", "--include=dev", "--include=optional"], {
    cwd: root,
    stdio: "inherit",
    shell: command === "npm" && process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed; the lines above say why.");
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, hash);
}
