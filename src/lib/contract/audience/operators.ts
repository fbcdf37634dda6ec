import type { PropertyType } from "../contact-fields.ts";
import type { Operator } from "./filter.ts";

/** The operators of each type of a property (reference of the API, "operators by type"). */
export const operatorsOf: Readonly<Record<PropertyType, readonly Operator[]>> = {
  string: ["any", "contains", "notContains", "equals", "notEquals", "empty", "notEmpty"],
  number: ["any", "equals", "notEquals", "greaterThan", "lessThan", "empty", "notEmpty"],
  boolean: ["any", "isTrue", "isFalse", "empty", "notEmpty"],
  date: ["any", "after", "before", "between", "dateEmpty", "dateNotEmpty", "empty", "notEmpty"],
};

/** The operators that compare with no value. One that a client sends is ignored. */
export const WITHOUT_VALUE: ReadonlySet<Operator> = new Set<Operator>([
  ...(["any", "empty", "notEmpty", "isTrue", "isFalse", "dateEmpty", "dateNotEmpty"] as const),
]);
