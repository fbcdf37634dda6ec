import { defineConfig } from "vitest/config";

/** The Workers on a simulated platform: budgets, objects that die alone, lost alarms. */
export default defineConfig({
  test: {
    include: ["test/platform/**/*.test.ts"],
    isolate: false,
    fileParallelism: false,
    silent: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
