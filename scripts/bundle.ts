import * as esbuild from "esbuild";

/**
 * One Worker as a single module, as wrangler would bundle it.
 *
 * @param entry path of its entry point, or the text of one with the folder that its imports start from
 */
export const bundle = async (entry: string | { text: string; folder: string }): Promise<string> => {
  const { outputFiles } = await esbuild.build({
    ...(typeof entry === "string"
      ? { entryPoints: [entry] }
      : { stdin: { contents: entry.text, resolveDir: entry.folder, loader: "ts" as const } }),
    ...{ bundle: true, write: false, format: "esm", target: "es2024", logLevel: "error" },
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
  });
  return outputFiles[0]?.text ?? "";
};

/** A bundle for Miniflare. */
export const modulesOf = (script: string) => [{ type: "ESModule" as const, path: "worker.js", contents: script }];
