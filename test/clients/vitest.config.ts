import { defineConfig } from "vitest/config";

/** Tests that install packages of their own: `npm run test:clients` and `npm run test:schema`. `npm test` has none of them. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    // One after the other: each starts both Workers.
    fileParallelism: false,
  },
});
