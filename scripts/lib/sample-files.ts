import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type LmxFile, readFile } from "../../src/lib/lmx/file.ts";

/** The folder of the sample templates. */
export const SAMPLES = join(import.meta.dirname, "..", "..", "src", "email", "samples");

/** A sample template with the name of its file, such as `magic-link`. */
export type SampleFile = LmxFile & { file: string; id: string; name: string };

const readSample = (path: string): SampleFile => {
  const { file } = readFile(readFileSync(join(SAMPLES, path), "utf8"));
  const { id = "", name = "" } = file.fields;
  return { file: basename(path, ".lmx"), id, name, ...file };
};

/** The sample templates, read from their files: Node imports no LMX. */
export const sampleFiles: readonly SampleFile[] = readdirSync(SAMPLES)
  .filter((name) => name.endsWith(".lmx"))
  .sort()
  .map(readSample);

/** The confirmation mail, which a team gets with double opt-in. */
export const confirmationFile: SampleFile = readSample("opt-in/confirm-subscription.lmx");

/** The mail of the sample campaign of `npm start`. */
export const campaignFile: SampleFile = readSample("campaigns/new-this-month.lmx");
