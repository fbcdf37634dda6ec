import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Runs `vitest run`. Returns true if the tests passed. */
export const runTests = (args: readonly string[], variables: Record<string, string>): boolean => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--silent=false", ...args], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: "inherit",
    env: { ...process.env, ...variables },
  });
  return status === 0;
};
