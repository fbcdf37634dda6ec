import type { Recipients } from "../../src/outbox/model/recipients.ts";
import type { Source } from "../../src/sources.ts";
import { count } from "../lib/cli.ts";
import { differencesText, isDifference } from "./by-rule.ts";
import type { Checked } from "./check.ts";
import { LEGEND, list, table } from "./print.ts";
import type { Problem } from "./problem.ts";
import { withoutRules } from "./subjects.ts";

const tables = (
  checked: readonly Checked[],
  sources: Readonly<Record<string, Source>>,
  recipients: Recipients,
): string => {
  const shown = checked.map(({ sources: names, ruleSet, runs, testData }) => {
    const title = `${names.join(", ")}: ${count(ruleSet.rules.length, "rule")}, ${count(runs.length, "fixture")}`;
    return `${title}\n${table(runs, testData, recipients)}`;
  });
  const silent = withoutRules(sources);
  const rest = silent.length > 0 ? [`Without rules, only kept in the journal: ${silent.join(", ")}`] : [];
  return `${[LEGEND, ...shown, ...rest].join("\n\n")}\n`;
};

const WITHOUT_TABLES = "The deliveries are listed when all types are right and no rule throws.\n";

/** Deliveries, problems and differences from golden files. Problems that come first replace the deliveries. */
export const report = (
  checked: readonly Checked[],
  problems: readonly Problem[],
  shown: { sources: Readonly<Record<string, Source>>; recipients: Recipients; quiet?: boolean | undefined },
): string => {
  const isBroken = problems.some(({ first }) => first);
  const deliveries = shown.quiet || isBroken ? [] : [tables(checked, shown.sources, shown.recipients)];
  const found = [list(problems), differencesText(problems)].filter(Boolean).map((text) => `${text}\n`);
  const note = isBroken && !shown.quiet ? [WITHOUT_TABLES] : [];
  return [...deliveries, ...found, ...note].join("\n");
};

export const summary = (checked: readonly Checked[], problems: readonly Problem[], ms: number): string => {
  const differ = problems.filter(isDifference).length;
  const errors = problems.filter(({ level }) => level === "error").length - differ;
  const runs = checked.flatMap(({ runs }) => runs);
  const deliveries = runs.flatMap(({ webhooks }) => webhooks.flatMap(({ deliveries }) => deliveries));
  const sum = (get: (subject: Checked) => number) => checked.reduce((total, subject) => total + get(subject), 0);
  const written = sum(({ written }) => written);
  const parts = [
    count(checked.length, "source"),
    count(
      sum(({ ruleSet }) => ruleSet.rules.length),
      "rule",
    ),
    count(runs.length, "fixture"),
    count(deliveries.length, "delivery"),
    ...(errors > 0 ? [count(errors, "error")] : differ > 0 ? [] : ["no errors"]),
    ...(differ > 0 ? [`${count(differ, "difference")} from golden files`] : []),
    ...(written > 0 ? [`${count(written, "golden file")} written`] : []),
    `${(ms / 1000).toFixed(1)} s`,
  ];
  return `${errors + differ === 0 ? "✓" : "✗"} ${parts.join(", ")}`;
};
