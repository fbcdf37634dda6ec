import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const open = new Set<string>();

const remove = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  open.delete(folder);
};

// Signal handlers delivery process.exit, so this also runs after a signal.
process.on("exit", () => {
  for (const folder of open) remove(folder);
});

/** Creates a private folder and removes it after the work, also when interrupted. */
export const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "mailspan-deploy-"));
  open.add(folder);
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
};

/** Writes a file that only this user can read. */
export const writePrivate = (folder: string, name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  return path;
};
