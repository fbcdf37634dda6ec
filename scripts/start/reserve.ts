import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workers } from "../workers.ts";

/** Bytes, guesses: what deletions and unsubscribes of hours need, and how much is left when they get it. */
const RESERVE = 8_000_000;
const LOW = 2_000_000;
/** Room that a disk needs for the reserve. */
const AMPLE = 3 * RESERVE;

/** Ms between looks, and between messages to Workers, which a restart makes necessary again. */
const LOOK_MS = 1_000;
const AGAIN_MS = 10_000;

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const freeIn = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Keeps a file in `state` that is deleted when the disk is full: the Workers then take only what needs little room. The
 * file is back when there is room. Returns a stop function.
 */
export const keepReserve = (
  state: string,
  workers: Pick<Workers, "sayDisk">,
  log: (line: string) => void,
  freeOf = freeIn,
): (() => void) => {
  const file = join(state, "reserve");
  let isFull = false;
  let saidAt = 0;

  const say = () => {
    saidAt = Date.now();
    // A restart of the Workers may refuse it. It is said again.
    workers.sayDisk(isFull ? "full" : "free").catch(() => undefined);
  };
  const restore = () => {
    try {
      writeFileSync(file, randomBytes(RESERVE), { mode: 0o600 });
    } catch {
      rmSync(file, { force: true });
      return;
    }
    if (isFull) log(`The disk of ${state} has room again: everything is accepted.`);
    isFull = false;
    say();
  };
  const look = () => {
    if (!existsSync(state)) return;
    const free = freeOf(state);
    const hasReserve = statSync(file, { throwIfNoEntry: false })?.size === RESERVE;
    if (free < LOW && !isFull) {
      rmSync(file, { force: true });
      isFull = true;
      log(
        `The disk of ${state} is full. Deletions, unsubscribes, bounces and transactional mail use a reserve of ${mb(RESERVE)}.`,
      );
      log(`Free the disk: all else is refused until ${mb(AMPLE)} are free.`);
      say();
    } else if (!hasReserve && free >= AMPLE) restore();
    else if (isFull && Math.abs(Date.now() - saidAt) >= AGAIN_MS) say();
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
};
