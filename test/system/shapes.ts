import { expect } from "vitest";

/** What `typeof` says of a value, with null and arrays told apart. */
type Kind<V> = V extends string
  ? "string"
  : V extends number
    ? "number"
    : V extends boolean
      ? "boolean"
      : V extends null
        ? "null"
        : V extends readonly unknown[]
          ? "array"
          : "object";

/** Per key of T, every kind its value may have: a key that T gains, loses or types otherwise does not compile. */
export type Shape<T> = {
  readonly [K in keyof T as string extends K ? never : K]-?: { readonly [One in Kind<T[K]>]: true };
};

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Fails where `value` lacks a key of the shape, or has another kind of value there. It may have more keys. */
export const expectShape = <T>(value: T, shape: Shape<T>): void => {
  const fields = value as Record<string, unknown>;
  const kinds = shape as Record<string, Record<string, true>>;
  const got = Object.fromEntries(Object.keys(kinds).map((key) => [key, kindOf(fields[key])]));
  const wrong = Object.entries(got).filter(([key, kind]) => !Object.hasOwn(kinds[key] ?? {}, kind));
  expect(wrong, JSON.stringify(value)).toEqual([]);
};
