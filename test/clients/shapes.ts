import { expect } from "vitest";

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

/** For each key of T, the kinds of its value. A change of T is a compile error. */
export type Shape<T> = {
  readonly [K in keyof T as string extends K ? never : K]-?: { readonly [One in Kind<T[K]>]: true };
};

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Fails if `value` lacks a key or has another kind there. More keys are allowed. */
export const expectShape = <T>(value: T, shape: Shape<T>): void => {
  const fields = value as Record<string, unknown>;
  const kinds = shape as Record<string, Record<string, true>>;
  const got = Object.fromEntries(Object.keys(kinds).map((key) => [key, kindOf(fields[key])]));
  const wrong = Object.entries(got).filter(([key, kind]) => !Object.hasOwn(kinds[key] ?? {}, kind));
  expect(wrong, JSON.stringify(value)).toEqual([]);
};
