import { existsSync } from "node:fs";

/**
 * Has temporary folders in memory where the system has such a folder, unless TMPDIR says otherwise. Local workerd has one thread, and a disk that
 * takes 100 ms for one commit stops every object on it. At Cloudflare no object waits for the disk of another one.
 */
export const keepStateInMemory = (): void => {
  if (existsSync("/dev/shm")) process.env.TMPDIR ??= "/dev/shm";
};
