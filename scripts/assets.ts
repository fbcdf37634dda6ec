import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
/** Folder of src/email/wrangler.toml's `[assets]`. */
const target = join(root, "dist", "assets");

/** What the email Worker serves as files, by path: the page of the API reference, its viewer, and the API's description. */
const files = (): Record<string, string> => {
  const viewer = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const page = join(root, "src", "email", "http", "docs");
  return {
    "openapi.json": join(root, "openapi.json"),
    ...Object.fromEntries(["index.html", "page.js", "page.css"].map((name) => [`docs/${name}`, join(page, name)])),
    ...Object.fromEntries(
      [
        "swagger-ui-bundle.js",
        "swagger-ui-bundle.js.LICENSE.txt",
        "swagger-ui.css",
        "favicon-32x32.png",
        "LICENSE",
        "NOTICE",
      ].map((name) => [`docs/${name}`, join(viewer, name)]),
    ),
  };
};

/** Brings dist/assets up to date. Each file appears whole: a Worker may be reading while this writes. */
export const writeAssets = (): void => {
  for (const [path, source] of Object.entries(files())) {
    const to = join(target, path);
    const text = readFileSync(source);
    if (same(to, text)) continue;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(`${to}.${process.pid}`, text);
    renameSync(`${to}.${process.pid}`, to);
  }
};

const same = (path: string, text: Buffer): boolean => {
  try {
    return readFileSync(path).equals(text);
  } catch {
    return false;
  }
};

if (import.meta.main) writeAssets();
