import { isObject, type Json } from "../util/json.ts";

/** The value as a JSON object. Throws with `what` in the message where it is something else. */
export const object = (value: unknown, what: string): Json => {
  if (isObject(value)) return value;
  throw new Error(`The body is not ${what}: expected a JSON object, got ${describe(value)}.`);
};

/** A field that has to be a text of at least one character. */
export const text = (from: Json, key: string, what: string): string => {
  const value = from[key];
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`The body is not ${what}: ${key} has to be a text, got ${describe(value)}.`);
};

/** A text field, or undefined where there is none, or an empty one. */
export const optionalText = (from: Json | undefined, key: string): string | undefined => {
  const value = from?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** A field that is an object, or undefined. */
export const optionalObject = (from: Json, key: string): Json | undefined => {
  const value = from[key];
  return isObject(value) ? value : undefined;
};

/** Unix milliseconds of an ISO 8601 / RFC 3339 time, or undefined where it is not one. */
export const isoTime = (value: string | undefined): number | undefined => {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
};

/**
 * Whole Unix milliseconds of a number, or undefined where it is none that a Date can hold. `unit`: milliseconds in one.
 */
export const unixTime = (value: unknown, unit: 1 | 1000): number | undefined => {
  const time = typeof value === "number" ? value * unit : Number.NaN;
  return Number.isNaN(new Date(time).getTime()) ? undefined : Math.trunc(time);
};

const describe = (value: unknown) => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty text";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a text" : `a value of type ${typeof value}`;
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

/** A text or number at a dotted path as a text of at least one character, or undefined. */
export const textAt = (from: unknown, path: string): string | undefined => {
  const value = valueAt(from, path);
  return (typeof value === "string" || typeof value === "number" ? String(value) : "") || undefined;
};

/** The list a value is, or the value as a list of one: how a batch and a single event become the same. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
