import type { PropertyType } from "../contract/contact-fields.ts";
import type { Refusal } from "../contract/errors.ts";
import { toIsoDate } from "../util/dates.ts";
import type { ComparisonOperator, PropertyQuery } from "./types.ts";

export const operatorsFor = (side: "is" | "was", type: PropertyType): readonly ComparisonOperator[] =>
  side === "was" ? [...new Set([...triggerOperators[type], "empty" as const])] : triggerOperators[type];

type SentValue = string | number | boolean | null | { from: string | number; to: string | number };
type Sent = { operator: ComparisonOperator; value: SentValue };
export type SentQuery = { key: string; is: Sent; was: Sent };

type TypeOf = (key: string) => PropertyType | undefined;

/** Operators without a value ignore the sent one. */
const triggerOperators: Readonly<Record<PropertyType, readonly ComparisonOperator[]>> = {
  string: ["any", "equal", "not_equal", "contains", "not_contains", "empty", "not_empty"],
  number: ["any", "greater_than", "less_than", "numeric_equal", "numeric_not_equal", "not_empty"],
  boolean: ["any", "true", "false", "not_empty"],
  date: ["any", "empty", "not_empty", "after", "before", "between"],
};

export const WITHOUT_VALUE: ReadonlySet<ComparisonOperator> = new Set(["any", "empty", "not_empty", "true", "false"]);
/** No value of a contact is longer. */
const MAX_TEXT = 500;

/** Fields that change on every update, or that no request changes. */
export const NOT_WATCHED: ReadonlySet<string> = new Set(["createdAt", "updatedAt", "optInStatus"]);

const PATH = "payload.contactPropertyQuery";
const invalid = (path: string, message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_request", path: `${PATH}.${path}`, message: `${PATH}.${path}: ${message}` },
});

/** Returns the stored form of a checked query. */
export const checkedQuery = (
  { key, is, was }: SentQuery,
  typeOf: TypeOf,
): { query: PropertyQuery } | { refusal: Refusal } => {
  if (NOT_WATCHED.has(key)) return invalid("key", `a trigger cannot watch "${key}"`);
  const type = typeOf(key);
  if (type === undefined) {
    const message = `${PATH}.key: There is no contact property "${key}". GET /v1/contacts/properties lists them.`;
    return { refusal: { code: "unknown_property", path: `${PATH}.key`, message } };
  }
  const after = checkedSide("is", is, type);
  if ("refusal" in after) return after;
  const before = checkedSide("was", was, type);
  return "refusal" in before ? before : { query: { key, is: after.side, was: before.side } };
};

type Side = { side: PropertyQuery["is"] } | { refusal: Refusal };

const checkedSide = (name: "is" | "was", { operator, value }: Sent, type: PropertyType): Side => {
  const operators = operatorsFor(name, type);
  if (!operators.includes(operator)) {
    return invalid(`${name}.operator`, `is no operator for a ${type}; they are ${operators.join(", ")}`);
  }
  if (WITHOUT_VALUE.has(operator)) return { side: { operator, value: "" } };
  const read = readers[type](value, operator);
  return read === undefined
    ? invalid(`${name}.value`, `must be ${operator === "between" ? SPAN : wanted[type]}`)
    : { side: { operator, value: read } };
};

const SPAN = 'two dates as {"from": …, "to": …} or "from/to", of which the first is not later';
const wanted: Readonly<Record<PropertyType, string>> = {
  string: `a string of at most ${MAX_TEXT} characters`,
  number: "a number",
  boolean: "true or false",
  date: "a date: ISO 8601 or Unix milliseconds",
};

type Read = (value: SentValue, operator: ComparisonOperator) => string | number | undefined;

const readers: Readonly<Record<PropertyType, Read>> = {
  string: (value) => (typeof value === "string" && value.length <= MAX_TEXT ? value : undefined),
  number: (value) => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  },
  boolean: () => undefined,
  date: (value, operator) => {
    if (operator === "between") return spanOf(value);
    return typeof value === "string" || typeof value === "number" ? toIsoDate(value) : undefined;
  },
};

const spanOf = (value: SentValue): string | undefined => {
  const [from, to, more] =
    typeof value === "string"
      ? value.split("/")
      : typeof value === "object" && value !== null
        ? [value.from, value.to]
        : [];
  if (from === undefined || to === undefined || more !== undefined) return undefined;
  const [first, last] = [toIsoDate(from), toIsoDate(to)];
  if (first === undefined || last === undefined) return undefined;
  return Date.parse(first) <= Date.parse(last) ? `${first}/${last}` : undefined;
};
