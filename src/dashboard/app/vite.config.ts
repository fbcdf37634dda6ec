import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { bridgeContract } from "../../lib/contract/admin/bridge.ts";
import { dashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { type Contract, hasBody, operationsOf, takesNothing } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { RouteTable } from "./api/client.ts";

const tableOf = (contract: Contract): RouteTable => {
  const table: RouteTable = {};
  for (const { name, operation } of operationsOf(contract)) {
    const [group = "", method = ""] = name.split(".");
    const route = [operation.method, operation.path, hasBody(operation)] as const;
    const { idempotent = false } = operation;
    const named = takesNothing(operation) ? ([...route, idempotent, true] as const) : route;
    table[group] = { ...table[group], [method]: idempotent && named === route ? [...route, true] : named };
  }
  return table;
};

const tables = {
  v1: tableOf(v1),
  email: tableOf(adminContract),
  bridge: tableOf(bridgeContract),
  dashboard: tableOf(dashboardContract),
};

/** Contract tables without schemas keep zod out of the bundle. */
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

/** The text of a rule as it stands in its file. `line`: its first one. */
type RuleSource = { file: string; line: number; text: string };

/** A rule is an object on lines of its own, and begins with its name. */
const RULE = /^( *)\{\n(?: *\/\/.*\n)* *name: ("(?:[^"\\\n]|\\.)*"),\n(?: *\/\/.*\n)* *on:[\s\S]*?\n\1\}/gm;

/** Finds the rules in the text of a file, by name. */
export const rulesIn = (file: string, text: string): Record<string, RuleSource> =>
  Object.fromEntries(
    [...text.matchAll(RULE)].map(({ 0: rule, 1: indent = "", 2: name = "", index }) => [
      JSON.parse(name) as string,
      {
        file,
        line: text.slice(0, index).split("\n").length,
        text: rule
          .split("\n")
          .map((line) => line.slice(indent.length))
          .join("\n"),
      },
    ]),
  );

const MAPPINGS = join(import.meta.dirname, "../../mappings");

/** The rules of a provider are in `stripe.ts` and in the folder `stripe`. */
const ruleSources = (): Record<string, object> => {
  const sources: Record<string, object> = {};
  for (const name of readdirSync(MAPPINGS, { recursive: true, encoding: "utf8" }).filter((one) =>
    one.endsWith(".ts"),
  )) {
    const [provider = ""] = name.replaceAll("\\", "/").replaceAll("-", "").split(/[/.]/);
    const found = rulesIn(`src/mappings/${name}`, readFileSync(join(MAPPINGS, name), "utf8"));
    sources[provider] = { ...sources[provider], ...found };
  }
  return sources;
};

/** The source of the rules: the bridge has them compiled. */
const rules = (): Plugin => ({
  name: "rules",
  resolveId: (id) => (id === "virtual:rules" ? "\0rules" : undefined),
  load: (id) => (id === "\0rules" ? `export default ${JSON.stringify(ruleSources())};` : undefined),
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), routes(), rules()],
  build: {
    outDir: join(import.meta.dirname, "../../../dist/dashboard"),
    emptyOutDir: true,
    target: "es2023",
    // The first browsers with light-dark(). The fallback would lose the focus ring.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
