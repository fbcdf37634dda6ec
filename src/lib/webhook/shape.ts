import { isObject, type Json } from "../util/json.ts";

/** The value as a JSON object. Throws where it is not one; `what` names the expected body in the message. */
export const object = (value: unknown, what: string): Json => {
  if (isObject(value)) return value;
  throw new Error(`The body is not ${what}: expected a JSON object, got ${describe(value)}.`);
};

/** A required string field. Throws where it is absent, empty or not a string. */
export const text = (from: Json, key: string, what: string): string => {
  const value = from[key];
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`The body is not ${what}: ${key} must be a string, got ${describe(value)}.`);
};

/** A string field, or undefined where it is absent, empty or not a string. */
export const optionalText = (from: Json | undefined, key: string): string | undefined => {
  const value = from?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** An object field, or undefined where it is absent or not an object. */
export const optionalObject = (from: Json, key: string): Json | undefined => {
  const value = from[key];
  return isObject(value) ? value : undefined;
};

/** Unix milliseconds of an ISO 8601 / RFC 3339 time, or undefined where the text is not one. */
export const isoTime = (value: string | undefined): number | undefined => {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
};

/**
 * Whole Unix milliseconds of a number in seconds (`unit` 1000) or milliseconds (1). Undefined where the value is not a
 * number or no valid date.
 */
export const unixTime = (value: unknown, unit: 1 | 1000): number | undefined => {
  const time = typeof value === "number" ? value * unit : Number.NaN;
  return Number.isNaN(new Date(time).getTime()) ? undefined : Math.trunc(time);
};

const describe = (value: unknown) => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a string" : `a value of type ${typeof value}`;
};

/** The value at a dotted path, or undefined. */
export const valueAt = (from: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
      from,
    );

/** The string or number at a dotted path, as text; undefined where it is absent or empty. */
export const textAt = (from: unknown, path: string): string | undefined => {
  const value = valueAt(from, path);
  return (typeof value === "string" || typeof value === "number" ? String(value) : "") || undefined;
};

/** The value itself where it is a list, else a list of one: a single event is treated as a batch of one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
