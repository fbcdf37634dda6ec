import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listWithFiles } from "../../../scripts/providers/list.ts";
import { providerTable, withTable } from "../../../scripts/providers/table.ts";

const handlers = await listWithFiles();
const root = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README's table of providers", () => {
  test("is what `npm run providers` writes", () => {
    expect(withTable(readme, handlers) === readme ? "up to date" : "run npm run providers").toBe("up to date");
  });

  test("has at least 45, each with a name, a scheme, a secret, where to find it, and rules or an example", () => {
    const rows = providerTable(handlers).split("\n").slice(2);
    expect(rows.length).toBeGreaterThanOrEqual(45);
    for (const row of rows) {
      const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      expect([row, cells.length]).toEqual([row, 7]);
      expect([row, cells.slice(1, 6).every(Boolean)]).toEqual([row, true]);
    }
  });

  test("links to files that are there", () => {
    const paths = [...providerTable(handlers).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path ?? "");
    expect(paths.filter((path) => path.startsWith("examples/")).length).toBeGreaterThanOrEqual(30);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test("providers and secrets are named once", () => {
  const all = Object.values(handlers).map(({ handler }) => handler);
  expect(new Set(all.map(({ provider }) => provider)).size).toBe(all.length);
  expect(new Set(all.map(({ about }) => about.secret)).size).toBe(all.length);
  for (const { about } of all) expect(about.secret).toMatch(/^[A-Z][A-Z0-9_]*$/);
});
