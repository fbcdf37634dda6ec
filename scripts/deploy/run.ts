import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Run } from "./io.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** Turns off telemetry, the download of cf.json, the banner with its update check, and colors. */
const QUIET = {
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
};

// Windows cannot spawn a command on the PATH without a shell.
const wrangler = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");

export const run: Run = (command, args, { input, env } = {}) =>
  new Promise((resolve, reject) => {
    const [file, all] = command === "wrangler" ? [process.execPath, [wrangler(), ...args]] : [command, args];
    const child = spawn(file, all, { cwd: ROOT, env: { ...process.env, ...QUIET, ...env } });
    const out = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        out[stream] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, ...out }));
    // A command may end without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
