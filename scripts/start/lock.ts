import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else is running all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const holderOf = (path: string): number => {
  try {
    return Number.parseInt(readFileSync(path, "utf8"), 10);
  } catch {
    return Number.NaN;
  }
};

/**
 * Claims a state folder for this process: two would write one journal and each keep the whole team's pace.
 *
 * @returns a function that gives it up again
 * @throws when a process that is running has it
 */
export const lockState = (path: string): (() => void) => {
  mkdirSync(dirname(path), { recursive: true });
  const holder = holderOf(path);
  if (holder > 0 && holder !== process.pid && isRunning(holder)) {
    throw new Error(
      `Mailspan already runs from this folder (process ${holder}). Stop it first: its state cannot be shared.`,
    );
  }
  writeFileSync(path, String(process.pid));
  return () => rmSync(path, { force: true });
};
