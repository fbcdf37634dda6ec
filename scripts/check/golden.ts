import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { differences } from "./differences.ts";
import type { Planned, Run } from "./run.ts";

/** Clauses are omitted: their text depends on the reading tool. */
const kept = ({ type, test, deliveries, outcomes, links, names }: Planned) => ({
  type,
  ...(test ? { test } : {}),
  deliveries,
  outcomes: outcomes.map(({ rule, outcome, message }) => ({
    rule,
    outcome,
    ...(message && outcome !== "not matched" ? { message } : {}),
  })),
  links,
  ...(names ? { names } : {}),
});

/** A list stands for a batch. */
export const goldenOf = ({ webhooks }: Run): unknown => {
  const all = webhooks.map(kept);
  // JSON omits undefined values.
  return JSON.parse(JSON.stringify(all.length === 1 ? all[0] : all));
};

/** `missing`: no golden file. */
export const compare = (folder: string, run: Run): string[] | "missing" => {
  const path = join(folder, `${run.fixture}.json`);
  if (!existsSync(path)) return "missing";
  try {
    return differences(JSON.parse(readFileSync(path, "utf8")), goldenOf(run));
  } catch (error) {
    return [`${path} cannot be read: ${(error as Error).message}`];
  }
};

/** Returns false if unchanged. */
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

export const remove = (folder: string, name: string): void => rmSync(join(folder, `${name}.json`));
