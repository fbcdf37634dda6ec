import { expect, test } from "vitest";
import { columns, count, onOneLine, printable, table, UsageError, wholeNumber } from "../../../scripts/lib/cli.ts";

test("a number has limits", () => {
  expect(wholeNumber("limit", "50", { min: 1 })).toBe(50);
  for (const text of ["0", "x", "-1", "1.5", "", "1000"]) {
    expect(() => wholeNumber("limit", text, { min: 1, max: 999 })).toThrow(
      new UsageError(`--limit ${text}: expected a whole number from 1 to 999.`),
    );
  }
});

test("words are counted", () => {
  expect([count(0, "rule"), count(1, "rule"), count(2, "rule")]).toEqual(["0 rules", "1 rule", "2 rules"]);
  expect([count(1, "delivery"), count(2, "delivery"), count(2, "day")]).toEqual([
    "1 delivery",
    "2 deliveries",
    "2 days",
  ]);
});

test("columns are lined up, titles are not", () => {
  expect(columns([["a much longer title"], ["  a", "1"], ["  long", "22"]])).toBe(
    "a much longer title\n  a     1\n  long  22",
  );
});

test("a table underlines its heads", () => {
  expect(table(["name", ""], [["ada", "ready"]])).toBe("name\n────  ─────\nada   ready");
});

test("control characters of a text cannot reach the terminal", () => {
  expect(printable("a\u001b[2Jb\u009bc\u202ed\re\tf\ng é")).toBe("a\\u001b[2Jb\\u009bc\\u202ed\\u000de\tf\ng é");
  expect(table(["name"], [["Trial\u001b]0;x\u0007\nSending"]])).toBe(
    `name\n${"─".repeat(30)}\nTrial\\u001b]0;x\\u0007\\nSending`,
  );
});

test("each text of an answer becomes one line", () => {
  expect(onOneLine({ name: "a\nb", list: [{ c: "d\te\u202e" }, 1, null], is: true })).toEqual({
    name: "a\\nb",
    list: [{ c: "d\\te\\u202e" }, 1, null],
    is: true,
  });
});
