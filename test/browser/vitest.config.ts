import { defineConfig } from "vitest/config";

/** Tests that need Chromium: `npm run test:browser` and `npm run screenshots`. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file starts Chromium and Workers, which use about one core.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
