import { defineConfig } from "vitest/config";

/** Tests that take minutes: `npm run faults` and `npm run crash`. */
export default defineConfig({
  test: {
    include: ["test/faults/**/*.test.ts"],
    setupFiles: ["test/patience.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
