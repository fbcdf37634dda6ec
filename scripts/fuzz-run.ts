import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Runs one fuzz test with these settings in its environment, and ends with its status. */
export const runFuzz = (project: string, file: string, settings: Record<string, string>): void => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--silent=false", "--project", project, file], {
    cwd: join(import.meta.dirname, ".."),
    stdio: "inherit",
    env: { ...process.env, ...settings },
  });
  process.exitCode = status ?? 1;
};
