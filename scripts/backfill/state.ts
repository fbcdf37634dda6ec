import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Counts, noCounts } from "./counts.ts";

/** Progress of a run, written after every page for --resume. */
export type Progress = {
  source: string;
  url: string;
  /** Unix ms; null: no limit. */
  since: number | null;
  events: boolean;
  kind: number;
  after?: string;
  counts: Counts;
};

/** Throws if the file has another form. */
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
    throw new Error(`${file} cannot be read. Delete it and start a run with --since; nothing is done twice.`);
  }
};

/** Replaces the file atomically. */
export const writeProgress = (file: string, progress: Progress): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(progress)}\n`);
  renameSync(`${file}.new`, file);
};

export const removeProgress = (file: string): void => rmSync(file, { force: true });
