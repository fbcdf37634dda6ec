import type { Operator, PropertyCondition } from "../../../../lib/contract/audience/filter.ts";
import type { Comparison, ComparisonOperator, PropertyQuery } from "../../../../lib/workflow-graph/types.ts";
import { checkFilter } from "../../segments/check.ts";
import { evaluatorOf, readerOf } from "../../segments/evaluate.ts";
import type { ContactFacts, TeamFacts } from "../../segments/facts.ts";

/** Triggers and filters name the same comparisons differently. */
const OPERATORS: Readonly<Record<ComparisonOperator, Operator>> = {
  any: "any",
  empty: "empty",
  not_empty: "notEmpty",
  equal: "equals",
  not_equal: "notEquals",
  contains: "contains",
  not_contains: "notContains",
  greater_than: "greaterThan",
  less_than: "lessThan",
  numeric_equal: "equals",
  numeric_not_equal: "notEquals",
  true: "isTrue",
  false: "isFalse",
  after: "after",
  before: "before",
  between: "between",
};

const textOf = (contact: ContactFacts, key: string): string => JSON.stringify(readerOf(key)(contact) ?? null);

export const isPropertyChange = (
  { key, is, was }: PropertyQuery,
  before: ContactFacts,
  after: ContactFacts,
  team: TeamFacts,
): boolean => textOf(before, key) !== textOf(after, key) && fits(key, was, before, team) && fits(key, is, after, team);

const fits = (key: string, comparison: Comparison, contact: ContactFacts, team: TeamFacts): boolean => {
  const checked = checkFilter({ match: "all", conditions: [conditionOf(key, comparison)] }, team, "query");
  // A property deleted after the trigger was set never changes.
  if ("refusal" in checked) return false;
  return evaluatorOf(checked.filter, team).matches({ contact, hasActivity: () => false, now: 0 });
};

const conditionOf = (key: string, { operator, value }: Comparison): PropertyCondition => {
  const [from = "", to = ""] = operator === "between" ? String(value).split("/") : [];
  return {
    type: "property",
    key,
    operator: OPERATORS[operator],
    value: operator === "between" ? { from, to } : value,
  };
};
