import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const open = new Set<string>();

const remove = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  open.delete(folder);
};

// Also runs after a signal, because the signal handlers of the command call process.exit.
process.on("exit", () => {
  for (const folder of open) remove(folder);
});

/** Creates a folder that only this user can read. Removes it when the work ends, fails or is interrupted. */
export const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "mailspan-deploy-"));
  open.add(folder);
  try {
    return await work(folder);
  } finally {
    remove(folder);
  }
};

/** Writes a file that only this user can read. Returns its path. */
export const writePrivate = (folder: string, name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  return path;
};
