import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { formOf, operationsOf, takesNothing } from "../src/lib/contract/operation.ts";
import { v1 } from "../src/lib/contract/v1.ts";
import { declarationsOf } from "./client/declarations.ts";
import { define, runCommand } from "./lib/command.ts";

const root = join(import.meta.dirname, "..");

/** Answer forms instead of schemas keep zod out of the bundle. */
const routes = (): string => {
  const table: Record<string, Record<string, object>> = {};
  for (const { name, operation } of operationsOf(v1)) {
    const [group = "", method = ""] = name.split(".");
    const { path, body, refusesWithSuccess } = operation;
    const form = formOf(operation);
    const noRequest = takesNothing(operation);
    const route = { method: operation.method, path, body, form, noRequest, refusesWithSuccess };
    table[group] = { ...table[group], [method]: route };
  }
  return `export const v1 = ${JSON.stringify(table)};`;
};

const buildClient = async (): Promise<{ js: string; types: string }> => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(root, "src", "lib", "client.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "error",
    plugins: [
      {
        name: "routes",
        setup: (build) => build.onLoad({ filter: /[\\/]contract[\\/]v1\.ts$/ }, () => ({ contents: routes() })),
      },
    ],
  });
  return { js: outputFiles[0]?.text ?? "", types: declarationsOf(v1) };
};

const BUILD_CLIENT = define({
  name: "build:client",
  about: "Writes the published client to dist/client.js and dist/client.d.ts.",
  examples: [[""]],
  options: {},
});

await runCommand(BUILD_CLIENT, async () => {
  const { js, types } = await buildClient();
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, "dist", "client.js"), js);
  writeFileSync(join(root, "dist", "client.d.ts"), types);
  console.log(`Wrote dist/client.js (${js.length} bytes) and dist/client.d.ts.`);
});
