import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { answers } from "./ports.ts";

type Holder = { pid: number; port: number; emailPort: number; dashboardPort: number };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
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

/** Returns the ports of an `npm start` that runs with this lock, as variables. */
export const runningPorts = (path: string): Record<string, string> => {
  const holder = holderOf(path);
  if (!holder || !isAlive(holder.pid)) return {};
  const { port, emailPort, dashboardPort } = holder;
  return { PORT: String(port), EMAIL_PORT: String(emailPort), DASHBOARD_PORT: String(dashboardPort) };
};

/**
 * Locks a state folder: two processes would share one journal and rate limit. The port detects stale locks.
 * @throws if another process has the lock
 */
export const lockState = async (path: string, ports: Omit<Holder, "pid">): Promise<() => void> => {
  const holder = holderOf(path);
  if (holder && holder.pid !== process.pid && isAlive(holder.pid) && (await answers(holder.port))) {
    throw new Error(
      `Mailspan already runs from this folder (process ${holder.pid}, port ${holder.port}). Stop it first.`,
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ pid: process.pid, ...ports } satisfies Holder));
  return () => rmSync(path, { force: true });
};
