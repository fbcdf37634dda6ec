import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LmxFile, readFile } from "../../src/email/lmx/file.ts";

/** The folder of the sample templates. */
export const SAMPLES = join(import.meta.dirname, "..", "..", "src", "email", "samples");

/** A sample template with the name of its file, such as `magic-link`. */
export type SampleFile = LmxFile & { file: string; id: string; name: string };

/** The sample templates, read from their files: Node imports no LMX. */
export const sampleFiles: readonly SampleFile[] = readdirSync(SAMPLES)
  .filter((name) => name.endsWith(".lmx"))
  .sort()
  .map((name) => {
    const { file } = readFile(readFileSync(join(SAMPLES, name), "utf8"));
    return { file: name.slice(0, -".lmx".length), id: file.fields.id ?? "", name: file.fields.name ?? "", ...file };
  });
