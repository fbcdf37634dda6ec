import { join } from "node:path";
import type { Source } from "../../src/sources.ts";
import { hasFixtures, readFixtures } from "./fixtures.ts";
import type { Problem } from "./problem.ts";
import { run } from "./run.ts";

const exists = (body: unknown, path: string): boolean => {
  let at = body;
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = at[key as never];
  }
  return true;
};

/** A misspelled path would redact nothing. */
export const checkRedact = async (
  sources: Readonly<Record<string, Source>>,
  root: string,
  only?: string,
): Promise<Problem[]> => {
  const problems: Problem[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const { redact = [] } = source;
    if (redact.length === 0 || (only !== undefined && name !== only)) continue;
    // Importing src/sources.ts throws if a mapping is broken.
    const { handler } = source.rules ?? source;
    const folder = hasFixtures(join(root, name)) ? name : handler.provider;
    const ruleSet = { handler, rules: [], links: () => [] };
    const runs = await Promise.all(readFixtures(join(root, folder)).map((fixture) => run(name, ruleSet, fixture)));
    const bodies = runs.flatMap(({ webhooks }) => webhooks.map(({ body }) => body));
    for (const path of redact.filter((path) => !bodies.some((body) => exists(body, path)))) {
      const where = bodies.length === 0 ? "there is no fixture" : "no fixture has this path";
      const message = `redact has the path "${path}", but ${where}. Is it misspelled? A wrong path redacts nothing. Otherwise add a payload with it to test/fixtures/${folder}`;
      problems.push({ level: "error", source: name, message });
    }
  }
  return problems;
};
