import { isObject, type Json } from "../util/json.ts";

/** Requires a JSON object; throws otherwise. `what`: expected body, for the message. */
export const object = (value: unknown, what: string): Json => {
  if (isObject(value)) return value;
  throw new Error(`The body is not ${what}: expected a JSON object, got ${describe(value)}.`);
};

/** Requires a non-empty string field; throws otherwise. */
export const text = (from: Json, key: string, what: string): string => {
  const value = from[key];
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`The body is not ${what}: ${key} must be a string, got ${describe(value)}.`);
};

export const optionalText = (from: Json | undefined, key: string): string | undefined => {
  const value = from?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const optionalObject = (from: Json, key: string): Json | undefined => {
  const value = from[key];
  return isObject(value) ? value : undefined;
};

/** Parses ISO 8601 / RFC 3339 to Unix milliseconds. */
export const isoTime = (value: string | undefined): number | undefined => {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
};

/** Converts seconds (`unit` 1000) or milliseconds (1) to whole Unix milliseconds; undefined if invalid. */
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

export const valueAt = (from: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key) ? value[key as never] : undefined,
      from,
    );

/** Returns a string or number as text; undefined if absent or empty. */
export const textAt = (from: unknown, path: string): string | undefined => {
  const value = valueAt(from, path);
  return (typeof value === "string" || typeof value === "number" ? String(value) : "") || undefined;
};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
