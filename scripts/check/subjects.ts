import { join } from "node:path";
import type { RuleSet } from "../../src/rules/types.ts";
import type { Source } from "../../src/sources.ts";
import { meant } from "../lib/cli.ts";
import { hasFixtures } from "./fixtures.ts";

export type Folder = { source: string; fixtures: string; goldens: string };

export type Subject = { sources: string[]; ruleSet: RuleSet; testData: boolean; folders: Folder[] };

type Sources = Readonly<Record<string, Source>>;

/** Fixtures come from the source's folder, or else the provider's. */
export const subjectsOf = (sources: Sources, root: string): Subject[] => {
  const subjects: Subject[] = [];
  for (const [source, { rules, testData }] of Object.entries(sources)) {
    if (!rules) continue;
    const own = join(root, source);
    const fixtures = hasFixtures(own) ? own : join(root, rules.handler.provider);
    const shared = subjects.flatMap(({ folders }) => folders).some((folder) => folder.fixtures === fixtures);
    const subject = subjects.find(({ ruleSet }) => ruleSet === rules);
    if (!subject) {
      // Other rules plan other deliveries, so they need separate golden files.
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

export const notCheckable = (sources: Sources, only: string): string | undefined => {
  if (!Object.hasOwn(sources, only)) {
    return `There is no source "${only}" in src/sources.ts. ${meant(only, Object.keys(sources))}`;
  }
  return sources[only]?.rules
    ? undefined
    : `The source "${only}" has no rules. Its webhooks go to the journal and plan no deliveries, so there is nothing to check.`;
};

export const withoutRules = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([name, { rules }]) => (rules ? [] : [name]));
