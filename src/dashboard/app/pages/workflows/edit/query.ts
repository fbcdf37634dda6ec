import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";
import { operatorsFor, WITHOUT_VALUE } from "../../../../../lib/workflow-graph/property-query.ts";
import type { Comparison, ComparisonOperator, PropertyQuery } from "../../../../../lib/workflow-graph/types.ts";
import { dateText, isDate } from "../../segments/dates.ts";

/** One side of a property query as it is typed. `to`: the end of a span of dates. */
export type Side = { operator: ComparisonOperator; value: string; to: string };

/** A value before or after the change, as a demand on it. */
export const OPERATOR_WORDS: Readonly<Record<ComparisonOperator, string>> = {
  any: "anything",
  empty: "nothing",
  not_empty: "any value",
  equal: "exactly",
  not_equal: "anything but",
  contains: "a text with",
  not_contains: "a text without",
  greater_than: "more than",
  less_than: "less than",
  numeric_equal: "exactly",
  numeric_not_equal: "anything but",
  true: "true",
  false: "false",
  after: "a date after",
  before: "a date before",
  between: "a date between",
};

export const takesValue = (operator: ComparisonOperator): boolean => !WITHOUT_VALUE.has(operator);

/** A side that nothing is typed in yet. */
export const emptySide: Side = { operator: "any", value: "", to: "" };

/** A stored side as a person edits it. */
export const sideOf = ({ operator, value }: Comparison): Side => {
  if (operator !== "between") return { operator, value: String(value), to: "" };
  const [from = "", to = ""] = String(value).split("/");
  return { operator, value: dateText(from), to: dateText(to) };
};

/** The side for a property of another type: its operator where that type has it, and no value. */
export const sideFor = (name: "was" | "is", side: Side, type: PropertyType): Side =>
  operatorsFor(name, type).includes(side.operator) ? { ...side, value: "", to: "" } : emptySide;

/** A side as the API takes it. */
export const storedSide = ({ operator, value, to }: Side, type: PropertyType): PropertyQuery["is"] => {
  if (!takesValue(operator)) return { operator, value: "" };
  if (operator === "between") return { operator, value: `${value.trim()}/${to.trim()}` };
  if (type === "number") return { operator, value: Number(value.trim()) };
  return { operator, value: type === "date" ? value.trim() : value };
};

/** What is missing or wrong in a side; undefined where nothing is. */
export const sideProblem = ({ operator, value, to }: Side, type: PropertyType): string | undefined => {
  if (!takesValue(operator)) return undefined;
  if (type === "date") {
    const ends = operator === "between" ? [value, to] : [value];
    // A trigger compares with a date that stays the same: it has no "30 days ago".
    return ends.every((one) => isDate(one) && !/^[+-]?P/.test(one.trim()) && !/ago$|^in /i.test(one.trim()))
      ? undefined
      : "Give a date, such as 2026-01-31.";
  }
  if (value.trim() === "") return "Give a value.";
  return type === "number" && !Number.isFinite(Number(value)) ? "Give a number, such as 12 or 1.5." : undefined;
};
