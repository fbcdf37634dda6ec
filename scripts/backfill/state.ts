import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Counts, noCounts } from "./counts.ts";

/** Where a run stands: written after every page, so that the next one goes on there. */
export type Progress = {
  source: string;
  /** Address of the bridge. */
  url: string;
  /** Unix ms; null: ever. */
  since: number | null;
  events: boolean;
  /** Place among the kinds of object, and where in that one's list. */
  kind: number;
  after?: string;
  counts: Counts;
};

/** The progress of an interrupted run, or undefined where there is none. Throws on a file that is none of ours. */
export const readProgress = (file: string): Progress | undefined => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const progress = JSON.parse(text) as Progress;
    if (typeof progress.source !== "string" || !Number.isInteger(progress.kind)) throw new Error("no progress");
    return { ...progress, counts: { ...noCounts(), ...progress.counts } };
  } catch {
    throw new Error(`${file} cannot be read. Delete it and start again with --since: what is done is not done twice.`);
  }
};

/** Whole or not at all, whenever it is interrupted. */
export const writeProgress = (file: string, progress: Progress): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(progress)}\n`);
  renameSync(`${file}.new`, file);
};

export const removeProgress = (file: string): void => rmSync(file, { force: true });
