import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FAVICON, TOKENS } from "../src/email/http/face.ts";
import { iconList } from "./assets/icons.ts";
import { type Document, referenceOf } from "./assets/reference.ts";

const root = join(import.meta.dirname, "..");
const target = join(root, "dist", "assets");

/** Writes static files and the icon list of the Worker. */
export const writeAssets = (): void => {
  const openApi = readFileSync(join(root, "openapi.json"));
  const style = readFileSync(join(root, "src", "email", "http", "docs", "page.css"), "utf8");
  const files: Record<string, string | Buffer> = {
    "openapi.json": openApi,
    "docs/index.html": referenceOf(JSON.parse(openApi.toString()) as Document),
    "docs/page.css": `:root{${TOKENS}}\n${style}`,
    "docs/favicon.svg": FAVICON,
    "icons.txt": iconList(),
  };
  for (const [path, text] of Object.entries(files)) writeWhole(join(target, path), Buffer.from(text));
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
