import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const open = new Set<string>();

const remove = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  open.delete(folder);
};

// Whatever ends the process: the signal handlers of the command end it through process.exit.
process.on("exit", () => {
  for (const folder of open) remove(folder);
});

/** Gives a folder only this user can read, and removes it with all it holds when the work ends, fails or is interrupted. */
export const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "mailspan-deploy-"));
  open.add(folder);
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
};

/** Writes a file only this user can read, and gives its path. */
export const writePrivate = (folder: string, name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  return path;
};
