import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

/** Imports LMX files as text, as the Workers' bundlers do. */
const lmx: Plugin = {
  name: "lmx",
  transform: (code, id) => (id.endsWith(".lmx") ? `export default ${JSON.stringify(code)};` : undefined),
};

/**
 * Tests of package.json commands and the published client: `npm run test:commands`. They take minutes, so `npm test`
 * has none of them.
 */
export default defineConfig({
  plugins: [lmx],
  test: {
    silent: "passed-only",
    update: "none",
    env: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, "../fixtures/tls/certificate.pem") },
    include: ["test/commands/**/*.test.ts"],
    setupFiles: ["test/patience.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
