import { defineConfig } from "vitest/config";

/** Waits for the timers of a workflow, about half a minute: `npm run test:start`. `npm test` only sees that they begin. */
export default defineConfig({
  test: {
    include: ["test/start/**/*.test.ts"],
    setupFiles: ["test/patience.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
