import type { AudienceCondition, AudienceFilter, Operator } from "./filter.ts";

/** Each operator as a phrase, such as "must contain". */
export const OPERATORS: Readonly<Record<Operator, string>> = {
  any: "may be anything",
  empty: "must be empty",
  dateEmpty: "must be empty",
  notEmpty: "must not be empty",
  dateNotEmpty: "must not be empty",
  equals: "must be",
  notEquals: "must not be",
  contains: "must contain",
  notContains: "must not contain",
  greaterThan: "must be greater than",
  lessThan: "must be less than",
  isTrue: "must be true",
  isFalse: "must be false",
  after: "must be after",
  before: "must be before",
  between: "must be between",
};
const VALUES: ReadonlySet<Operator> = new Set<Operator>([
  ...(["equals", "notEquals", "contains", "notContains", "greaterThan", "lessThan", "after", "before"] as const),
]);

const TARGETS = { campaign: "of the campaign", workflow: "of the workflow", workflowEmail: "with the id" } as const;

export type NameOf = (target: "campaign" | "workflow", id: string) => string | undefined;

type ActivityCondition = Extract<AudienceCondition, { type: "activity" }>;

/** Describes the mails of an activity condition, such as `a mail of the campaign "Spring"`. */
export const wordsOfTarget = ({ target, id }: Pick<ActivityCondition, "target" | "id">, nameOf?: NameOf): string => {
  const mails = target === "workflowEmail" ? "the mail" : "a mail";
  const name = target === "workflowEmail" ? undefined : nameOf?.(target, id);
  return `${mails} ${TARGETS[target]} ${name === undefined ? id : JSON.stringify(name)}`;
};

/** Describes a condition, such as `"plan" must be "pro"`. */
export const wordsOfCondition = (condition: AudienceCondition, nameOf: NameOf = () => undefined): string => {
  if (condition.type === "optIn")
    return condition.status === null
      ? "the subscription must never have been asked about"
      : `the opt-in status must be "${condition.status}"`;
  if (condition.type === "activity") {
    const { action, negate } = condition;
    const done = !negate
      ? `have been ${action}`
      : action === "sent"
        ? "not have been sent"
        : `have been sent, and none ${action}`;
    return `${wordsOfTarget(condition, nameOf)} must ${done}`;
  }
  const { key, operator, value } = condition;
  const words = `"${key}" ${OPERATORS[operator]}`;
  if (operator === "between" && typeof value === "object" && value !== null)
    return `${words} ${value.from} and ${value.to}`;
  return VALUES.has(operator) ? `${words} ${JSON.stringify(value)}` : words;
};

export const wordsOfConditions = ({ match, conditions }: AudienceFilter, nameOf?: NameOf): string =>
  conditions.map((condition) => wordsOfCondition(condition, nameOf)).join(match === "any" ? " or " : " and ");
