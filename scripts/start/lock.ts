import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { answers } from "./ports.ts";

type Holder = { pid: number; port: number };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else is alive all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const holderOf = (path: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    return undefined;
  }
};

/**
 * Claims a state folder for this process: two would write one journal and each keep the whole team's pace. A process that
 * was killed may still be listed, so its port is asked too.
 *
 * @param port of this process's bridge
 * @returns a function that gives it up again
 * @throws when another process runs on it
 */
export const lockState = async (path: string, port: number): Promise<() => void> => {
  const holder = holderOf(path);
  if (holder && holder.pid !== process.pid && isAlive(holder.pid) && (await answers(holder.port))) {
    throw new Error(
      `Mailspan already runs from this folder (process ${holder.pid}, port ${holder.port}). Stop it first.`,
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ pid: process.pid, port } satisfies Holder));
  return () => rmSync(path, { force: true });
};
