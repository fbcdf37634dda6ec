import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Runs one test file with these variables in its environment, and returns whether it passed. */
export const runFuzz = (project: string, file: string, variables: Record<string, string>): boolean => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--silent=false", "--project", project, file], {
    cwd: join(import.meta.dirname, ".."),
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  return status === 0;
};
