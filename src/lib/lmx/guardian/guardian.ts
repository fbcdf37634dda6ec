import { contentRules } from "./content.ts";
import { readingRules } from "./contrast.ts";
import { type Facts, factsOf, type Subject } from "./facts.ts";
import { linkRules } from "./links.ts";
import { keyOf, locationOf, remainingRules } from "./remaining.ts";
import type { Item, Rule } from "./rule.ts";
import { variableRules } from "./variables.ts";

export type Finding = Pick<Rule, "rule" | "title" | "description"> & { items: Item[] };
/** `errors` affect every reader. */
export type Verdict = { errors: Finding[]; warnings: Finding[] };

/** The published rule `bareArrayNodes` is absent, because LMX has no lists of values. */
const OWN: readonly Rule[] = [...contentRules, ...variableRules, ...linkRules, ...readingRules];
export const rules: readonly Rule[] = [...OWN, ...remainingRules];

/** A broken document may have tens of thousands. */
const MAX_ITEMS = 100;

/** Each component item counts once. */
const once = (items: readonly Item[]): Item[] => {
  const seen = new Set<string>();
  return items.filter(({ label, component }) => {
    if (component === undefined) return true;
    const key = `${component.id} ${component.line}:${component.column} ${label}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

const coveredBy = ({ covers = [] }: Rule, items: readonly Item[], locations: ReadonlySet<string>): string[] =>
  (covers.length === 0 ? [] : items).flatMap((item) => {
    const key = keyOf(item);
    return locations.has(key) ? covers.map((code) => `${code} ${key}`) : [];
  });

const findingsOf = (facts: Facts): (Finding & Pick<Rule, "severity">)[] => {
  const locations = new Set(facts.problems.map((problem) => keyOf(locationOf(problem))));
  const covered = new Set<string>();
  return rules.flatMap((rule) => {
    const found = once(rule.find(facts));
    for (const key of coveredBy(rule, found, locations)) covered.add(key);
    const isCovered = (item: Item) => covered.has(`${item.codeName} ${keyOf(item)}`);
    const items = remainingRules.includes(rule) ? found.filter((item) => !isCovered(item)) : found;
    const { rule: name, title, description, severity } = rule;
    return items.length === 0 ? [] : [{ rule: name, title, description, severity, items: items.slice(0, MAX_ITEMS) }];
  });
};

/** Judges a message by all rules. Deterministic; never throws. */
export const guardian = (subject: Subject): Verdict => {
  const findings = findingsOf(factsOf(subject));
  const of = (wanted: Rule["severity"]): Finding[] =>
    findings.flatMap(({ severity, ...finding }) => (severity === wanted ? [finding] : []));
  return { errors: of("error"), warnings: of("warning") };
};
