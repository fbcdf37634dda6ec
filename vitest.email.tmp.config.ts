import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
export default defineConfig({ root: "/work/main", plugins: [cloudflareTest({ main: "/work/main/test/workerd/email/worker.tmp.ts", miniflare: { compatibilityDate: "2026-08-01", durableObjects: { WORKSPACE: { className: "Workspace", useSQLite: true }, INBOX_STORE: { className: "Inbox", useSQLite: true } }, bindings: {INBOX: "1"} } })], test: { include: ["test/workerd/email/**/*.test.ts"] } });
