import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Ms. */
const LOOK_MS = 50;
/** Ms. The process of an older lock is stuck, or its id was reused. */
const OLD_MS = 300_000;

/** The lock appears with its content, or not at all. */
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

const isLeft = (path: string, now: number): boolean => {
  try {
    if (now - statSync(path).mtimeMs > OLD_MS) return true;
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    // EPERM: a process of another user. ENOENT: the lock is free.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
};

/** Runs work in one process at a time. The lock of a finished process is taken over. */
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
