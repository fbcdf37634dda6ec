import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { bridgeContract } from "../../lib/contract/admin/bridge.ts";
import { dashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { type Contract, hasBody, operationsOf } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { RouteTable } from "./api/client.ts";

const tableOf = (contract: Contract): RouteTable => {
  const table: RouteTable = {};
  for (const { name, operation } of operationsOf(contract)) {
    const [group = "", method = ""] = name.split(".");
    const route = [operation.method, operation.path, hasBody(operation)] as const;
    table[group] = { ...table[group], [method]: operation.idempotent ? [...route, true] : route };
  }
  return table;
};

const tables = {
  v1: tableOf(v1),
  email: tableOf(adminContract),
  bridge: tableOf(bridgeContract),
  dashboard: tableOf(dashboardContract),
};

/** The contracts as tables of method and path: the page needs no schemas, so zod stays out of it. */
const routes = (): Plugin => ({
  name: "routes",
  resolveId: (id) => (id === "virtual:routes" ? "\0routes" : undefined),
  load: (id) =>
    id === "\0routes"
      ? Object.entries(tables)
          .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`)
          .join("\n")
      : undefined,
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), routes()],
  build: {
    outDir: join(import.meta.dirname, "../../../dist/dashboard"),
    emptyOutDir: true,
    target: "es2023",
    // The first browsers that know light-dark(). For older ones it would be replaced by something that loses the ring of the focus.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The compiler is a file of its own: the pages that compile share it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "lmx", test: /src\/email\/lmx\// }] } } },
  },
});
