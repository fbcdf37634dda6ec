import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DiskState } from "../../src/lib/util/full-disk.ts";
import type { Workers } from "../workers.ts";

/** Bytes at most, and the share of a small disk. The log of each busy database takes up to 4.1 MB of it. */
const RESERVE = { most: 64_000_000, share: 0.2 };
/** Bytes free, guesses: below `full`, the reserve is used; below `low`, the rest of it is for deletions and unsubscribes. */
const FREE = { full: 2_000_000, low: 3_000_000 };
/** Free bytes that end a state, in thresholds that began it: a checkpoint must not change it to and fro. */
const AMPLE = 2;

/** Ms between looks, and between messages to Workers, which a restart makes necessary again. */
const LOOK_MS = 1_000;
const AGAIN_MS = 10_000;

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Bytes of a disk. */
type Disk = { size: number; free: number };

const diskOf = (folder: string): Disk => {
  const { blocks, bavail, bsize } = statfsSync(folder);
  return { size: blocks * bsize, free: bavail * bsize };
};

/** Bytes of the reserve on a disk of `size` bytes. */
export const reserveOf = (size: number): number => Math.round(Math.min(RESERVE.most, RESERVE.share * size));

/**
 * Keeps a file in `state` that is emptied when the disk is full: the Workers then take only what needs little room. An
 * empty file says so to the next start. The file is back when there is room. Returns a stop function.
 */
export const keepReserve = (
  state: string,
  workers: Pick<Workers, "sayDisk">,
  log: (line: string) => void,
  read = diskOf,
): (() => void) => {
  const file = join(state, "reserve");
  const sizeOfFile = () => statSync(file, { throwIfNoEntry: false })?.size;
  let now: DiskState = "free";
  let heard: DiskState | undefined;
  let saidAt = 0;

  const say = async () => {
    const said = now;
    saidAt = Date.now();
    // A restart of the Workers may refuse it. It is said again.
    heard = await workers.sayDisk(said).then(
      () => said,
      () => undefined,
    );
  };
  const become = (next: DiskState, ...lines: string[]) => {
    now = next;
    for (const line of lines) log(line);
    void say();
  };
  const empty = () => {
    try {
      if (existsSync(file)) truncateSync(file);
      else writeFileSync(file, "", { mode: 0o600 });
    } catch {
      // A disk without room for a name: the next start finds it full by itself.
    }
  };
  const restore = (reserve: number) => {
    try {
      writeFileSync(file, randomBytes(reserve), { mode: 0o600 });
    } catch {
      if (now === "free") rmSync(file, { force: true });
      else empty();
      return;
    }
    if (now === "free") void say();
    else become("free", `The disk of ${state} has room again: everything is accepted.`);
  };
  const use = (had: number | undefined, reserve: number) => {
    empty();
    const forWhat = "Deletions, unsubscribes, bounces and transactional mail";
    const from = had === 0 ? "what is left of the reserve" : had ? `a reserve of ${mb(had)}` : "what is left";
    const until = `Free the disk: all else is refused until ${mb(AMPLE * reserve)} are free.`;
    become("full", `The disk of ${state} is full. ${forWhat} use ${from}.`, until);
  };
  const look = () => {
    if (!existsSync(state)) return;
    const { size, free } = read(state);
    const reserve = reserveOf(size);
    const had = sizeOfFile();
    const isAmple = free >= AMPLE * reserve;
    if (had !== reserve && isAmple) restore(reserve);
    else if (now === "free" && (free < FREE.full || (had === 0 && !isAmple))) use(had, reserve);
    else if (now === "full" && free < FREE.low)
      become("low", `The reserve of ${state} is nearly used up: transactional mail is refused too. Free the disk.`);
    else if (now === "low" && free >= AMPLE * FREE.low)
      become("full", `The reserve of ${state} has room again: transactional mail is accepted.`);
    else if ((now !== "free" || heard !== now) && Math.abs(Date.now() - saidAt) >= AGAIN_MS) void say();
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
};
