import { defineConfig } from "vitest/config";

/** Tests that install packages: `npm run test:clients` and `npm run test:schema`. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    // One after the other: each file starts both Workers.
    fileParallelism: false,
  },
});
