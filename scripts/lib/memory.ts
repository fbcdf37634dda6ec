import { statfsSync } from "node:fs";

/** Bytes that a folder in memory has to have left. */
const ENOUGH = 2e9;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
};

/**
 * Has temporary folders in memory where the system has such a folder with room, unless TMPDIR says otherwise. Local workerd has one thread,
 * and a disk that takes 100 ms for one commit stops every object on it. At Cloudflare no object waits for the disk of another one.
 */
export const keepStateInMemory = (): void => {
  if (hasRoom("/dev/shm")) process.env.TMPDIR ??= "/dev/shm";
};
