import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check } from "../../../../scripts/check/check.ts";
import { readConfig } from "../../../../scripts/check/config.ts";
import { checkAgreement } from "../../../../scripts/check/name-conflicts.ts";
import { table } from "../../../../scripts/check/print.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { checkRedact } from "../../../../scripts/check/redact.ts";
import { sources } from "../../../../src/sources.ts";

// The part of `npm run check` without tsc, which `npm test` runs before, and without the network.
const root = join(import.meta.dirname, "../../../..");
const checked = await check(sources, { fixtures: join(root, "test", "fixtures"), config: readConfig(root) });

describe("npm run check over this repository", () => {
  test.each(checked.map((subject) => [subject.sources.join(", "), subject] as const))(
    "%s: every fixture equals its golden file, and every rule matches a fixture",
    (_name, { problems, runs }) => {
      expect(problems.map(textOf)).toEqual([]);
      expect(runs.length).toBeGreaterThan(0);
    },
  );

  test("all rules agree on the types and the spelling of what they write", () => {
    expect(checkAgreement(checked).map(textOf)).toEqual([]);
  });

  test("every path that a source redacts is in a fixture of it", async () => {
    expect((await checkRedact(sources, join(root, "test", "fixtures"))).map(textOf)).toEqual([]);
  });

  test("the README shows it as it is", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const { ruleSet, runs = [], testData = false } = checked.find(({ sources: [name] }) => name === "stripe") ?? {};
    expect(readme).toContain(`stripe: ${ruleSet?.rules.length} rules, ${runs.length} fixtures\n`);
    const shown = table(runs, testData).split("\n");
    const [, sample = ""] = /^stripe: \d+ rules.*\n([\s\S]*?)```/m.exec(readme) ?? [];
    const lines = sample.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines)
      expect(
        shown.some((real) => real.startsWith(line.replace(/ …$/, ""))),
        line,
      ).toBe(true);
  });

  test("every source with rules is among them", () => {
    const withRules = Object.entries(sources).flatMap(([name, { rules }]) => (rules ? [name] : []));
    expect(checked.flatMap((subject) => subject.sources).sort()).toEqual(withRules.sort());
  });
});
