import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** Three kinds of test: plain functions in Node, objects inside workerd, and both Workers together over HTTP. */
export default defineConfig({
  test: {
    silent: "passed-only",
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./test/workerd/wrangler.toml" } })],
        test: { name: "workerd", include: ["test/workerd/**/*.test.ts"] },
      },
      {
        test: {
          name: "system",
          include: ["test/system/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Each file runs a pair of Workers of its own: side by side they would only disturb each other's clocks.
          fileParallelism: false,
        },
      },
    ],
  },
});
