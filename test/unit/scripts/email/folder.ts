import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const makeFolder = (files: Readonly<Record<string, string | Uint8Array>>) => {
  const path = mkdtempSync(join(tmpdir(), "mailspan-email-"));
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
};
