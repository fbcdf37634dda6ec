import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

/** Imports LMX files as text, as the bundlers of the Workers do. */
const lmx: Plugin = {
  name: "lmx",
  transform: (code, id) => (id.endsWith(".lmx") ? `export default ${JSON.stringify(code)};` : undefined),
};

/**
 * Commands of package.json and the published client, as users run them: `npm run test:commands`. They start processes, bundle,
 * compile and wait for timers, for minutes, so `npm test` has none of them.
 */
export default defineConfig({
  plugins: [lmx],
  test: {
    silent: "passed-only",
    update: "none",
    env: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, "../fixtures/tls/certificate.pem") },
    include: ["test/commands/**/*.test.ts"],
    setupFiles: ["test/patience.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
