import type { PropertyType } from "../contact-fields.ts";
import type { Operator } from "./filter.ts";

/** Operators by property type (API reference, "operators by type"). */
export const operatorsOf: Readonly<Record<PropertyType, readonly Operator[]>> = {
  string: ["any", "contains", "notContains", "equals", "notEquals", "empty", "notEmpty"],
  number: ["any", "equals", "notEquals", "greaterThan", "lessThan", "empty", "notEmpty"],
  boolean: ["any", "isTrue", "isFalse", "empty", "notEmpty"],
  date: ["any", "after", "before", "between", "dateEmpty", "dateNotEmpty", "empty", "notEmpty"],
};

export const WITHOUT_VALUE: ReadonlySet<Operator> = new Set<Operator>([
  ...(["any", "empty", "notEmpty", "isTrue", "isFalse", "dateEmpty", "dateNotEmpty"] as const),
]);
