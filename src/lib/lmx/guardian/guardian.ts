import { contentRules } from "./content.ts";
import { readingRules } from "./contrast.ts";
import { type Facts, factsOf, type Subject } from "./facts.ts";
import { linkRules } from "./links.ts";
import { keyOf, placeOf, remainingRules } from "./remaining.ts";
import type { Item, Rule } from "./rule.ts";
import { variableRules } from "./variables.ts";

/** A rule that found something. */
export type Finding = Pick<Rule, "rule" | "title" | "description"> & { items: Item[] };
/** `errors`: what makes a mail wrong for every reader. */
export type Verdict = { errors: Finding[]; warnings: Finding[] };

/**
 * The rules, in the order of a verdict. The published rule `bareArrayNodes` is not among them: it is about lists of
 * values, and LMX has none.
 */
const OWN: readonly Rule[] = [...contentRules, ...variableRules, ...linkRules, ...readingRules];
export const rules: readonly Rule[] = [...OWN, ...remainingRules];

/** Most items of one rule: a broken document may have tens of thousands. */
const MAX_ITEMS = 100;

/** An item in a component counts once, however often the document uses the component. */
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

/** The problems of the compiler that items stand for, if they have these codes. `places`: of all problems. */
const coveredBy = ({ covers = [] }: Rule, items: readonly Item[], places: ReadonlySet<string>): string[] =>
  (covers.length === 0 ? [] : items).flatMap((item) => {
    const key = keyOf(item);
    return places.has(key) ? covers.map((code) => `${code} ${key}`) : [];
  });

const findingsOf = (facts: Facts): (Finding & Pick<Rule, "severity">)[] => {
  const places = new Set(facts.problems.map((problem) => keyOf(placeOf(problem))));
  const covered = new Set<string>();
  return rules.flatMap((rule) => {
    const found = once(rule.find(facts));
    for (const key of coveredBy(rule, found, places)) covered.add(key);
    const isCovered = (item: Item) => covered.has(`${item.codeName} ${keyOf(item)}`);
    const items = remainingRules.includes(rule) ? found.filter((item) => !isCovered(item)) : found;
    const { rule: name, title, description, severity } = rule;
    return items.length === 0 ? [] : [{ rule: name, title, description, severity, items: items.slice(0, MAX_ITEMS) }];
  });
};

/**
 * Judges a message by all rules. Never throws. The same input gives the same verdict.
 *
 * @param subject the message with what the compiler made of it, so that the content that is judged is the one that is sent
 */
export const guardian = (subject: Subject): Verdict => {
  const findings = findingsOf(factsOf(subject));
  const of = (wanted: Rule["severity"]): Finding[] =>
    findings.flatMap(({ severity, ...finding }) => (severity === wanted ? [finding] : []));
  return { errors: of("error"), warnings: of("warning") };
};
