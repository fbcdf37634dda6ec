import { expect, test } from "vitest";
import { majorUnits, money } from "../../../../src/rules/billing/money.ts";

test.each([
  [4900, "usd", "$49.00", 49],
  [4900, "JPY", "¥4,900", 4900],
  [12345, "kwd", "KWD\u00a012.345", 12.345],
  [500, "isk", "ISK\u00a05", 5],
  [500, "ugx", "UGX\u00a05", 5],
  [500, "mga", "MGA\u00a0500", 500],
  [99900, "huf", "HUF\u00a0999", 999],
  [99950, "huf", "HUF\u00a0999.50", 999.5],
  [-150, "eur", "-€1.50", -1.5],
  [0, "gbp", "£0.00", 0],
])("money: %i %s is %s", (amount, currency, text, major) => {
  expect(money(amount, currency)).toBe(text);
  expect(majorUnits(amount, currency)).toBe(major);
});

test("money in another locale, and with an invalid currency", () => {
  expect(money(123456, "eur", "de-DE")).toBe("1.234,56\u00a0€");
  expect(() => money(1, "euro")).toThrow(RangeError);
});
