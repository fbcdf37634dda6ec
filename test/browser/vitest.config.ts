import { defineConfig } from "vitest/config";

/** Tests that need Chromium: `npm run test:browser` and `npm run screenshots`. `npm test` has none of them. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Each file starts a Chromium, which uses more than one core.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
