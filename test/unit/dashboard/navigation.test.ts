import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SRC } from "../source.ts";

const text = readFileSync(join(SRC, "dashboard/app/frame/navigation.ts"), "utf8");
const valuesOf = (field: string): string[] =>
  [...text.matchAll(new RegExp(`\\b${field}: "([^"]+)"`, "g"))].map(([, value = ""]) => value);

it.each(["key", "to", "label"])("no two places of the navigation have the same %s", (field) => {
  const values = valuesOf(field);
  expect(values.length).toBeGreaterThan(10);
  expect(values.filter((value, n) => values.indexOf(value) !== n)).toEqual([]);
});
