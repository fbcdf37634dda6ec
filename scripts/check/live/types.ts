import { kindOf } from "../name-conflicts.ts";
import type { Given } from "../uses.ts";

const NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  date: "a date",
};

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const isDate = (value: Given["value"]) =>
  typeof value === "number" || (typeof value === "string" && ISO.test(value) && !Number.isNaN(Date.parse(value)));

/** An unknown type accepts everything. */
const fits = (type: string, value: Given["value"]): boolean =>
  type === "date" ? isDate(value) : !Object.hasOwn(NAMES, type) || typeof value === type;

export const misfit = (type: string, given: readonly Given[]): { fixture: string; message: string } | undefined => {
  const wrong = given.find(({ value }) => !fits(type, value));
  if (!wrong) return undefined;
  const shown = JSON.stringify(wrong.value);
  return {
    fixture: wrong.fixture,
    message: `is ${NAMES[type]} at the email service, but the rule gives ${kindOf(wrong.value)}: ${shown}`,
  };
};
