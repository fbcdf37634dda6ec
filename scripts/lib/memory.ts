import { statfsSync } from "node:fs";

/** Bytes. */
const ENOUGH = 2e9;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
};

/** Uses temporary folders in memory if TMPDIR is unset. A 100 ms disk commit stops every object of local workerd. */
export const keepStateInMemory = (): void => {
  if (hasRoom("/dev/shm")) process.env.TMPDIR ??= "/dev/shm";
};
