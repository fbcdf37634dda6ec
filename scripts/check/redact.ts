import { join } from "node:path";
import type { Source } from "../../src/sources.ts";
import { hasFixtures, readFixtures } from "./fixtures.ts";
import type { Problem } from "./problem.ts";
import { run } from "./run.ts";

/** Whether a dotted path leads to anything in a body. */
const leads = (body: unknown, path: string): boolean => {
  let at = body;
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = at[key as never];
  }
  return true;
};

/**
 * Paths in `redact` that no fixture of their source has: misspelt, they would erase nothing. Of a source without a folder
 * of its own, the fixtures are those of its provider.
 * @param root folder of all fixtures
 */
export const checkRedact = async (
  sources: Readonly<Record<string, Source>>,
  root: string,
  only?: string,
): Promise<Problem[]> => {
  const problems: Problem[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const { redact = [] } = source;
    if (redact.length === 0 || (only !== undefined && name !== only)) continue;
    // Not by `handlerOf`: sources that cannot be loaded are told of elsewhere, and importing them here would throw.
    const { handler } = source.rules ?? source;
    const folder = hasFixtures(join(root, name)) ? name : handler.provider;
    const ruleSet = { handler, rules: [], links: () => [] };
    const runs = await Promise.all(readFixtures(join(root, folder)).map((fixture) => run(name, ruleSet, fixture)));
    const bodies = runs.flatMap(({ webhooks }) => webhooks.map(({ body }) => body));
    for (const path of redact.filter((path) => !bodies.some((body) => leads(body, path)))) {
      const where = bodies.length === 0 ? "there is no fixture to see it in" : "no fixture has it";
      const message = `redact names "${path}", and ${where}. Misspelt, it would erase nothing; else add a payload that has it to test/fixtures/${folder}`;
      problems.push({ level: "error", source: name, message });
    }
  }
  return problems;
};
