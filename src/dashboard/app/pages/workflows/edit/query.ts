import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";
import { operatorsFor, WITHOUT_VALUE } from "../../../../../lib/workflow-graph/property-query.ts";
import type { Comparison, ComparisonOperator, PropertyQuery } from "../../../../../lib/workflow-graph/types.ts";
import { dateText, isDate } from "../../segments/dates.ts";

/** A typed side of a property query. `to`: end of a date range. */
export type Side = { operator: ComparisonOperator; value: string; to: string };

/** Operators worded as conditions. */
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

export const emptySide: Side = { operator: "any", value: "", to: "" };

/** Converts a stored side for editing. */
export const sideOf = ({ operator, value }: Comparison): Side => {
  if (operator !== "between") return { operator, value: String(value), to: "" };
  const [from = "", to = ""] = String(value).split("/");
  return { operator, value: dateText(from), to: dateText(to) };
};

/** Side for another property type. An unsupported operator is reset. */
export const sideFor = (name: "was" | "is", side: Side, type: PropertyType): Side =>
  operatorsFor(name, type).includes(side.operator) ? { ...side, value: "", to: "" } : emptySide;

/** Converts a side to API form. */
export const storedSide = ({ operator, value, to }: Side, type: PropertyType): PropertyQuery["is"] => {
  if (!takesValue(operator)) return { operator, value: "" };
  if (operator === "between") return { operator, value: `${value.trim()}/${to.trim()}` };
  if (type === "number") return { operator, value: Number(value.trim()) };
  return { operator, value: type === "date" ? value.trim() : value };
};

/** Problem of a side, or undefined. */
export const sideProblem = ({ operator, value, to }: Side, type: PropertyType): string | undefined => {
  if (!takesValue(operator)) return undefined;
  if (type === "date") {
    const ends = operator === "between" ? [value, to] : [value];
    // Triggers take only absolute dates.
    return ends.every((end) => isDate(end) && !/^[+-]?P/.test(end.trim()) && !/ago$|^in /i.test(end.trim()))
      ? undefined
      : "Give a date, such as 2026-01-31.";
  }
  if (value.trim() === "") return "Give a value.";
  return type === "number" && !Number.isFinite(Number(value)) ? "Give a number, such as 12 or 1.5." : undefined;
};
