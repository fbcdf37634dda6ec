import { defineConfig } from "vitest/config";
import { CA_FILE } from "../mail-provider/tcp.ts";

/** Tests that need Debian programs: `npm run test:mail` and `npm run test:smtp`. */
export default defineConfig({
  test: {
    include: ["test/mail/**/*.test.ts"],
    // Miniflare reads it when it is loaded. Then workerd trusts the certificate of the tests.
    env: { NODE_EXTRA_CA_CERTS: CA_FILE },
    testTimeout: 120_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
