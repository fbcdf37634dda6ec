import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { iconList } from "./assets/icons.ts";

const root = join(import.meta.dirname, "..");
const target = join(root, "dist", "assets");

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

/** Writes static files and the icon list of the Worker. */
export const writeAssets = (): void => {
  for (const [path, source] of Object.entries(files())) writeWhole(join(target, path), readFileSync(source));
  writeWhole(join(target, "icons.txt"), Buffer.from(iconList()));
};

/** Writes atomically, because a Worker may be reading the file. */
export const writeWhole = (path: string, text: Buffer): void => {
  if (isSame(path, text)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
};

const isSame = (path: string, text: Buffer): boolean => {
  try {
    return readFileSync(path).equals(text);
  } catch {
    return false;
  }
};

if (import.meta.main) writeAssets();
