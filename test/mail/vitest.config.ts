import { defineConfig } from "vitest/config";

/** Tests that need programs of Debian: `npm run test:mail`. `npm test` has none of them. */
export default defineConfig({
  test: { include: ["test/mail/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 600_000 },
});
