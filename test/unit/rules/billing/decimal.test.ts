import fc from "fast-check";
import { expect, test } from "vitest";
import { decimal, moneyOf } from "../../../../src/rules/billing/decimal.ts";

test("decimal takes finite numbers only", () => {
  expect([decimal("49.00"), decimal(9.99), decimal("-1")]).toEqual([49, 9.99, -1]);
  for (const text of ["", " ", "1,000.00", "abc", Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => decimal(text)).toThrow("finite number");
  expect([moneyOf("1234.5", "usd"), moneyOf(1200, "JPY"), moneyOf("2.5", "kwd")]).toEqual([
    "$1,234.50",
    "¥1,200",
    "KWD\u00a02.500",
  ]);
});

test("moneyOf formats a decimal string like the number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (cents) => {
      expect(moneyOf((cents / 100).toFixed(2), "usd")).toBe(moneyOf(cents / 100, "usd"));
      expect(moneyOf((cents / 100).toFixed(2), "usd").replace(/[^0-9]/g, "")).toBe(
        (cents / 100).toFixed(2).replace(".", ""),
      );
    }),
  );
});
