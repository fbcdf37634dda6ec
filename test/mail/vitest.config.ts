import { defineConfig } from "vitest/config";
import { CA_FILE } from "../relay/tcp.ts";

/** Tests that need programs of Debian: `npm run test:mail` and `npm run test:smtp`. `npm test` has none of them. */
export default defineConfig({
  test: {
    include: ["test/mail/**/*.test.ts"],
    // Miniflare reads it when it is loaded, and workerd then trusts the certificate of the tests.
    env: { NODE_EXTRA_CA_CERTS: CA_FILE },
    testTimeout: 120_000,
    hookTimeout: 600_000,
    // Both Workers and mail servers run at the same time as it is.
    fileParallelism: false,
  },
});
