import { columns, count } from "../lib/cli.ts";
import { type Problem, someOf } from "./problem.ts";

export type Difference = Problem & { fixture: string; lines: readonly string[] };

export const isDifference = (problem: Problem): problem is Difference => problem.lines !== undefined;

const NAMED = /(?:deliveries|outcomes)\[(.+?)(?:, (?:contact|event|transactional|delete))?\](?=[.:]|$)/;

/** An empty list that another line fills. */
const EMPTY = /(deliveries|outcomes|links): \[\]$/;

/** Returns the rule of a line, or the other part of the plan: `links`, `names`. */
const ruleOf = (line: string): string => {
  const [, rule] = NAMED.exec(line) ?? [];
  return rule ?? /\b(links|names)\b/.exec(line)?.[1] ?? "the plan as a whole";
};

type Row = { source: string; rule: string; lines: string[][] };

const outcome = (lines: readonly string[][], sign: string, word: string): number =>
  lines.filter((one) => one.some((line) => line.startsWith(sign) && line.endsWith(`.outcome: "${word}"`))).length;

const words = ({ lines }: Row): string => {
  const [matches, not] = [outcome(lines, "+ ", "matched"), outcome(lines, "+ ", "not matched")];
  const gone = outcome(lines, "- ", "matched") + outcome(lines, "- ", "not matched");
  const rest = lines.length - matches - not - gone;
  const parts = [
    matches + not > 0 && `new: matches ${matches}, does not match ${not}`,
    gone > 0 && `gone from ${gone}`,
    rest > 0 && `changed in ${rest}`,
  ];
  return parts.filter(Boolean).join("; ");
};

/** Counts the fixtures that differ, by rule; the rule with most of them first. */
const summaryByRule = (differences: readonly Difference[]): string => {
  const rows = new Map<string, Row>();
  for (const { source = "", lines } of differences)
    for (const rule of new Set(lines.filter((line) => !EMPTY.test(line)).map(ruleOf))) {
      const key = `${source} ${rule}`;
      const row = rows.get(key) ?? { source, rule, lines: [] };
      row.lines.push(lines.filter((line) => ruleOf(line) === rule));
      rows.set(key, row);
    }
  const sorted = [...rows.values()].sort((a, b) => b.lines.length - a.lines.length);
  return columns(
    sorted.map((row) => [`  ${row.rule} (${row.source})`, count(row.lines.length, "fixture"), words(row)]),
  );
};

const MOST_LINES = 12;

/** Fixtures of a source with the same differences are one entry. */
const grouped = (differences: readonly Difference[]): string[] => {
  const groups = new Map<string, { source: string; lines: readonly string[]; fixtures: string[] }>();
  for (const { source = "", lines, fixture } of differences) {
    const key = JSON.stringify([source, lines]);
    const group = groups.get(key) ?? { source, lines, fixtures: [] };
    group.fixtures.push(fixture);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ source, lines, fixtures }) => {
    const names = someOf(fixtures);
    const shown = lines.slice(0, MOST_LINES).map((line) => `    ${line}`);
    const rest = lines.length > MOST_LINES ? [`    … and ${lines.length - MOST_LINES} more`] : [];
    return [`✗ ${source}, ${fixtures.length === 1 ? "fixture" : "fixtures"} ${names}:`, ...shown, ...rest].join("\n");
  });
};

/** Shows a summary of the differences from golden files by rule, then the differences. Empty without any. */
export const differencesText = (problems: readonly Problem[]): string => {
  const differences = problems.filter(isDifference);
  if (differences.length === 0) return "";
  const many =
    differences.length === 1
      ? "1 fixture differs from its golden file"
      : `${differences.length} fixtures differ from their golden files`;
  const title = `${many}. By rule:`;
  const advice = "If all are meant: npm run check -- --update";
  return [title, summaryByRule(differences), "", ...grouped(differences), "", advice].join("\n");
};
