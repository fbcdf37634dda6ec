import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type LmxFile, readFile } from "../../src/lib/lmx/file.ts";

export const SAMPLES = join(import.meta.dirname, "..", "..", "src", "email", "samples");

/** A sample template with its file name, such as `magic-link`. */
export type SampleFile = LmxFile & { file: string; id: string; name: string };

/** Reads a sample by its path in the folder of samples. */
export const readSample = (path: string): SampleFile => {
  const { file } = readFile(readFileSync(join(SAMPLES, path), "utf8"));
  const { id = "", name = "" } = file.fields;
  return { file: basename(path, ".lmx"), id, name, ...file };
};

/** Read from files, because Node imports no LMX. */
export const sampleFiles: readonly SampleFile[] = readdirSync(SAMPLES)
  .filter((name) => name.endsWith(".lmx"))
  .sort()
  .map(readSample);

export const campaignFile: SampleFile = readSample("campaigns/new-this-month.lmx");
