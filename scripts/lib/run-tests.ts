import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Runs test files with these variables in their environment, and returns whether they passed. */
export const runTests = (project: string, files: readonly string[], variables: Record<string, string>): boolean => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--silent=false", "--project", project, ...files], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  return status === 0;
};
