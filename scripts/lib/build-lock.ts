import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** How often a process that waits looks again, in ms. */
const LOOK_MS = 50;
/** A lock that is older, in ms, belongs to a process that is stuck, or whose number is another's now. */
const OLD_MS = 300_000;

/** Takes the lock with the number of this process in it: it appears with its content, or not at all. */
const take = (path: string): boolean => {
  const own = `${path}.${process.pid}.${crypto.randomUUID()}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own);
  }
};

/** True where the process that took the lock has ended without a word. */
const isLeft = (path: string, now: number): boolean => {
  try {
    if (now - statSync(path).mtimeMs > OLD_MS) return true;
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    // No such process. With EPERM there is one, of another user; with ENOENT the lock is free.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

/** Runs something that only one process at a time may run. Others wait; the lock of one that ended is taken over. */
export const withBuildLock = async <T>(path: string, run: () => Promise<T>): Promise<T> => {
  mkdirSync(dirname(path), { recursive: true });
  while (!take(path)) {
    if (isLeft(path, Date.now())) rmSync(path, { force: true });
    else await sleep(LOOK_MS);
  }
  try {
    return await run();
  } finally {
    rmSync(path, { force: true });
  }
};
