import { join } from "node:path";
import { LINKS } from "../../src/rules/evaluate.ts";
import type { Source } from "../../src/sources.ts";
import type { Config } from "./config.ts";
import { checkConfigured } from "./configured.ts";
import { goldensIn, readFixtures } from "./fixtures.ts";
import { compare, remove, update } from "./golden.ts";
import type { Problem } from "./problem.ts";
import { renamed } from "./renamed.ts";
import { checkRequests } from "./requests.ts";
import { checkRules, withNames } from "./rules.ts";
import { type Run, run } from "./run.ts";
import { type Folder, type Subject, subjectsOf } from "./subjects.ts";

export type Checked = Subject & { runs: Run[]; problems: Problem[]; written: number };

type Options = {
  fixtures: string;
  config: Config;
  /** A fixture with a failed rule is never written, so a golden file never approves a failure. */
  update?: boolean;
  only?: string | undefined;
};

const MOST_LINES = 12;

const checkFolder = async (subject: Subject, folder: Folder, rewrite: boolean) => {
  const problems: Problem[] = [];
  const runs: Run[] = [];
  const missing: string[] = [];
  let written = 0;
  for (const fixture of readFixtures(folder.fixtures)) runs.push(await run(folder.source, subject.ruleSet, fixture));
  problems.push(...renamed(folder.goldens, runs, subject.ruleSet));
  for (const done of runs) {
    const about = { level: "error", fixture: done.fixture } as const;
    if (done.unread !== undefined) {
      problems.push({ ...about, message: `cannot be read: ${done.unread}` });
      continue;
    }
    // checkRules reports the failure.
    if (done.webhooks.some(({ outcomes }) => outcomes.some(({ outcome }) => outcome === "failed"))) continue;
    if (rewrite) {
      if (update(folder.goldens, done)) written++;
      continue;
    }
    const lines = compare(folder.goldens, done);
    if (lines === "missing") {
      missing.push(done.fixture);
      continue;
    }
    const more = lines.length > MOST_LINES ? `\n… and ${lines.length - MOST_LINES} more` : "";
    if (lines.length === 0) continue;
    const rule = ruleIn(lines, subject);
    const message = `differs from its golden file:\n${lines.slice(0, MOST_LINES).join("\n")}${more}`;
    problems.push({ ...about, ...(rule === undefined ? {} : { rule }), message, lines });
  }
  if (missing.length > 0) {
    const message = `no golden file yet for ${missing.join(", ")}. Check its deliveries, then run npm run check -- --update`;
    problems.push({ level: "error", message });
  }
  const names = new Set(runs.map(({ fixture }) => fixture));
  for (const golden of goldensIn(join(folder.goldens, "..")).filter((name) => !names.has(name))) {
    if (rewrite) {
      remove(folder.goldens, golden);
      written++;
    } else
      problems.push({ level: "error", fixture: golden, message: "has a golden file, but the fixture does not exist" });
  }
  return { runs, problems, written };
};

/** Undefined if the lines belong to several rules. */
const ruleIn = (lines: readonly string[], { ruleSet }: Subject): string | undefined => {
  const named = new Set(
    lines.map((line) =>
      [...ruleSet.rules.map(({ name }) => name), LINKS].find((name) =>
        new RegExp(`\\[${quoted(name)}[,\\]]`).test(line),
      ),
    ),
  );
  const [first] = named;
  return named.size === 1 ? first : undefined;
};

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Uses no network. `update` writes golden files. */
export const check = async (sources: Readonly<Record<string, Source>>, options: Options): Promise<Checked[]> => {
  const { fixtures, config, only } = options;
  const subjects = subjectsOf(sources, fixtures).filter(({ sources }) => only === undefined || sources.includes(only));
  const checked: Checked[] = [];
  for (const given of subjects) {
    const { ruleSet, problems: nameless } = withNames(given.ruleSet);
    const subject = { ...given, ruleSet };
    const folders = [];
    for (const folder of subject.folders) folders.push(await checkFolder(subject, folder, options.update ?? false));
    const runs = folders.flatMap(({ runs }) => runs);
    const problems = [
      ...nameless,
      ...checkRules(subject.ruleSet, runs),
      ...checkConfigured(subject.ruleSet, config),
      ...checkRequests(runs),
      ...folders.flatMap(({ problems }) => problems),
    ].map((problem) => ({ source: subject.sources[0] ?? "", ...problem }));
    const written = folders.reduce((sum, { written }) => sum + written, 0);
    checked.push({ ...subject, runs, problems, written });
  }
  return checked;
};
