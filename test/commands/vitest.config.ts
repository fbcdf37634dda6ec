import { defineConfig } from "vitest/config";

/**
 * `npm start`, `check` and `deploy` as processes: `npm run test:commands`. They bundle, compile and wait for timers, for two
 * minutes, so `npm test` has none of them.
 */
export default defineConfig({
  test: {
    silent: "passed-only",
    include: ["test/commands/**/*.test.ts"],
    setupFiles: ["test/patience.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
