import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { list, table } from "../../../../scripts/check/print.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { readDiagnostics, toProblem } from "../../../../scripts/check/types.ts";
import type { AnyRule } from "../../../../src/rules/types.ts";
import { checkAll, fixture, folder, good, type Loose, PAID, sourceOf, useFolder } from "./setup.ts";

useFolder();

test("the table shows every whole delivery, and the condition that was false", async () => {
  fixture("invoice.paid", PAID);
  fixture("invoice.paid.free", { ...PAID, amount: 0 }, "invoice.paid");
  fixture("invoice.sent", PAID);
  const mail = { template: "receipt", variables: { plan: (e: Loose) => e.data.plan }, urgent: { expires: "10m" } };
  const rule: AnyRule = {
    ...good,
    lists: { news: true },
    event: { name: "paid" },
    transactional: mail,
    remove: "delete",
  };
  const [{ runs } = { runs: [] }] = await checkAll({ generic: sourceOf([rule]) });
  expect(table(runs, false)).toBe(
    [
      "  invoice.paid",
      '    paid  contact  ada@example.com  plan="Pro"  joins news',
      "          event    ada@example.com  paid",
      '          mail     receipt → ada@example.com  plan="Pro"  urgent  until 2025-11-12T12:10:00.000Z',
      "          delete   ada@example.com",
      "  invoice.paid.free",
      "    paid  not matched: (e) => e.data.amount > 0",
      "  invoice.sent",
      "          no rule for invoice.sent",
    ].join("\n"),
  );
  expect(
    list([
      { level: "note", message: "b" },
      { level: "error", message: "a\nmore" },
    ]),
  ).toBe("✗ a\n    more\n· b");
  expect(
    list([
      { level: "note", message: "note" },
      { level: "error", message: "other" },
      { level: "error", fixture: "f", message: "differs", lines: ["a: 1 → 2"] },
      { level: "error", first: true, message: "throws" },
    ]),
  ).toBe("✗ throws\n✗ other\n· note");
});

test("an error of tsc names file and line, and shows the line", () => {
  mkdirSync(join(folder, "src", "mappings"), { recursive: true });
  writeFileSync(join(folder, "src", "mappings", "x.ts"), 'const a = 1;\n  { name: "first", on: a.x },\n');
  const output = `src/mappings/x.ts(2,26): error TS2551: Property 'x' does not exist.
  Did you mean 'y'?
src/other.ts(3,1): error TS1: Wrong.
error TS5083: Cannot read file.
`;
  expect(
    readDiagnostics(output)
      .map((diagnostic) => toProblem(folder, diagnostic))
      .map(textOf),
  ).toEqual([
    "src/mappings/x.ts:2: Property 'x' does not exist.\n  Did you mean 'y'?\n{ name: \"first\", on: a.x },",
    "src/other.ts:3: Wrong.",
    "Cannot read file.",
  ]);
});
