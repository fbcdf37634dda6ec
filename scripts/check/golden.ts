import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { differences } from "./differences.ts";
import type { Planned, Run } from "./run.ts";

/**
 * The content of a golden file. It does not say why a rule did not match: a clause is source text, which depends on the tool
 * that reads it.
 */
const kept = ({ type, test, calls, outcomes, links, names }: Planned) => ({
  type,
  ...(test ? { test } : {}),
  calls,
  outcomes: outcomes.map(({ rule, outcome, message }) => ({
    rule,
    outcome,
    ...(message && outcome !== "not matched" ? { message } : {}),
  })),
  links,
  ...(names ? { names } : {}),
});

/** A run in the form of its golden file: one webhook, or a list if the fixture is a batch. */
export const goldenOf = ({ webhooks }: Run): unknown => {
  const all = webhooks.map(kept);
  // JSON leaves out undefined values.
  return JSON.parse(JSON.stringify(all.length === 1 ? all[0] : all));
};

/** The differences of a run from its golden file. `missing`: there is no golden file. */
export const compare = (folder: string, run: Run): string[] | "missing" => {
  const path = join(folder, `${run.fixture}.json`);
  if (!existsSync(path)) return "missing";
  try {
    return differences(JSON.parse(readFileSync(path, "utf8")), goldenOf(run));
  } catch (error) {
    return [`${path} cannot be read: ${(error as Error).message}`];
  }
};

/** Writes the golden file of a run. Returns false if the file had this content already. */
export const update = (folder: string, run: Run): boolean => {
  const path = join(folder, `${run.fixture}.json`);
  const golden = goldenOf(run);
  try {
    if (isDeepStrictEqual(JSON.parse(readFileSync(path, "utf8")), golden)) return false;
  } catch {
    // The file does not exist or is not JSON.
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(golden, null, 2)}\n`);
  return true;
};

/** Removes a golden file whose fixture no longer exists. */
export const remove = (folder: string, name: string): void => rmSync(join(folder, `${name}.json`));
