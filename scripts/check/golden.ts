import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { differences } from "./differences.ts";
import type { Planned, Run } from "./run.ts";

/** What a golden file keeps. No clause: it is source text, as the tool of the day writes it. */
const kept = ({ type, test, calls, outcomes, links }: Planned) => ({
  type,
  ...(test ? { test } : {}),
  calls,
  outcomes: outcomes.map(({ rule, outcome, message }) => ({ rule, outcome, ...(message ? { message } : {}) })),
  links,
});

/** A run as its golden file has it: one webhook, or the list of a batch. */
export const goldenOf = ({ webhooks }: Run): unknown => {
  const all = webhooks.map(kept);
  // As JSON has it, where undefined is not there.
  return JSON.parse(JSON.stringify(all.length === 1 ? all[0] : all));
};

/** How a run differs from its golden file; empty where it does not. `missing`: there is no golden file. */
export const compare = (folder: string, run: Run): string[] | "missing" => {
  const path = join(folder, `${run.fixture}.json`);
  if (!existsSync(path)) return "missing";
  try {
    return differences(JSON.parse(readFileSync(path, "utf8")), goldenOf(run));
  } catch (error) {
    return [`${path} cannot be read: ${(error as Error).message}`];
  }
};

/** Writes the golden file of a run where it is another one; whether it did. */
export const update = (folder: string, run: Run): boolean => {
  const path = join(folder, `${run.fixture}.json`);
  const golden = goldenOf(run);
  try {
    if (isDeepStrictEqual(JSON.parse(readFileSync(path, "utf8")), golden)) return false;
  } catch {
    // None yet, or none that can be read.
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(golden, null, 2)}\n`);
  return true;
};

/** Removes a golden file whose fixture is gone. */
export const remove = (folder: string, name: string): void => rmSync(join(folder, `${name}.json`));
