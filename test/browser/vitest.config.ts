import { defineConfig } from "vitest/config";

/** Tests that need Chromium: `npm run test:browser` and `npm run screenshots`. `npm test` has none of them. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file starts a Chromium and Workers, which use about one core.
    maxWorkers: 2,
    testTimeout: 120_000,
    // The data of many pages. A busy machine makes it slow, not wrong.
    hookTimeout: 180_000,
  },
});
