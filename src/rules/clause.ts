import { conditions } from "./conditions.ts";
import { oneLine } from "./one-line.ts";
import type { AnyRule } from "./types.ts";

/** Every webhook's row may hold several. */
const CLAUSE_LENGTH = 300;

const clauses = new WeakMap<AnyRule, string>();

export const clauseOf = (rule: AnyRule, source: string): string => {
  const known = clauses.get(rule);
  if (known !== undefined) return known;
  const ofSource = Object.hasOwn(conditions, source) ? conditions[source] : undefined;
  const text = ofSource && Object.hasOwn(ofSource, rule.name) ? ofSource[rule.name] : undefined;
  const line = oneLine(text ?? String(rule.when));
  const clause = line.length > CLAUSE_LENGTH ? `${line.slice(0, CLAUSE_LENGTH - 1)}…` : line;
  clauses.set(rule, clause);
  return clause;
};
