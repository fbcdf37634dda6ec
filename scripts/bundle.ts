import * as esbuild from "esbuild";

let builds = 0;

/** Ends the process of esbuild after the last of parallel builds: it holds 280 MB, and starts again in 20 ms. */
const building = async <Built>(build: () => Promise<Built>): Promise<Built> => {
  builds++;
  try {
    return await build();
  } finally {
    builds--;
    if (builds === 0) await esbuild.stop();
  }
};

/**
 * Bundles a Worker into a single module, as wrangler would. Throws if an alias replaces no import.
 * @param alias replacement file path by import text
 */
export const bundle = async (
  entry: string | { text: string; folder: string },
  alias: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const unused = new Set(Object.keys(alias));
  const options = {
    ...(typeof entry === "string"
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.text, resolveDir: entry.folder, loader: "ts" as const } }),
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    logLevel: "error",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".lmx": "text" },
    plugins: [{ name: "alias", setup: (build: esbuild.PluginBuild) => resolveAlias(build, alias, unused) }],
  } satisfies esbuild.BuildOptions;
  const { outputFiles } = await building(() => esbuild.build(options));
  if (unused.size > 0) throw new Error(`No import is written as ${[...unused].join(", ")}.`);
  return outputFiles[0]?.text ?? "";
};

// esbuild's `alias` supports no relative imports.
const resolveAlias = (build: esbuild.PluginBuild, alias: Readonly<Record<string, string>>, unused: Set<string>) => {
  for (const [text, path] of Object.entries(alias)) {
    const filter = new RegExp(`^${text.replaceAll(/[^\w/]/g, "\\$&")}$`);
    // A replacement may import what it replaces.
    build.onResolve({ filter }, ({ importer }) => {
      if (importer === path) return undefined;
      unused.delete(text);
      return { path };
    });
  }
};

export const modulesOf = (script: string) => [{ type: "ESModule" as const, path: "worker.js", contents: script }];
