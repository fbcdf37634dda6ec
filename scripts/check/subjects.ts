import { join } from "node:path";
import { nearest } from "../../src/lib/util/nearest.ts";
import type { RuleSet } from "../../src/rules/types.ts";
import type { Source } from "../../src/sources.ts";
import { hasFixtures } from "./fixtures.ts";

/** The folders of a source: its fixtures and its golden files. */
export type Folder = { source: string; fixtures: string; goldens: string };

/** A set of rules with all sources that use it. It is checked once. */
export type Subject = { sources: string[]; ruleSet: RuleSet; testData: boolean; folders: Folder[] };

type Sources = Readonly<Record<string, Source>>;

/**
 * The sets of rules to check. The fixtures of a source are in the folder of its own name if it exists, otherwise in the
 * folder of its provider.
 * @param root folder of all fixtures
 */
export const subjectsOf = (sources: Sources, root: string): Subject[] => {
  const subjects: Subject[] = [];
  for (const [source, { rules, testData }] of Object.entries(sources)) {
    if (!rules) continue;
    const own = join(root, source);
    const fixtures = hasFixtures(own) ? own : join(root, rules.handler.provider);
    const shared = subjects.flatMap(({ folders }) => folders).some((folder) => folder.fixtures === fixtures);
    const subject = subjects.find(({ ruleSet }) => ruleSet === rules);
    if (!subject) {
      // Other rules plan other calls for the same fixtures, so they need their own golden files.
      const goldens = join(shared ? own : fixtures, "expected");
      const folders = [{ source, fixtures, goldens }];
      subjects.push({ sources: [source], ruleSet: rules, testData: testData === "deliver", folders });
      continue;
    }
    subject.sources.push(source);
    if (!subject.folders.some((folder) => folder.fixtures === fixtures)) {
      subject.folders.push({ source, fixtures, goldens: join(fixtures, "expected") });
    }
  }
  return subjects;
};

/** The reason why `--only` cannot check a source, or undefined. */
export const notCheckable = (sources: Sources, only: string): string | undefined => {
  if (!Object.hasOwn(sources, only)) {
    return `There is no source "${only}" in src/sources.ts. Did you mean ${nearest(only, Object.keys(sources))}?`;
  }
  return sources[only]?.rules
    ? undefined
    : `The source "${only}" has no rules. Its webhooks go to the journal and plan no calls, so there is nothing to check.`;
};

/** Names of the sources without rules. */
export const withoutRules = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([name, { rules }]) => (rules ? [] : [name]));
