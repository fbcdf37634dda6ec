import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changedInterval,
  direction,
  intervalOf,
  perMonth,
  type Recurring,
} from "../../../../src/rules/billing/monthly.ts";

describe("direction of a change", () => {
  const item = fc.record<Recurring>({
    price: fc.constantFrom("a", "b", "c"),
    currency: fc.constant("usd"),
    amount: fc.integer({ min: 0, max: 10_000_000 }),
    quantity: fc.integer({ min: 0, max: 1_000 }),
    interval: fc.constantFrom("day", "week", "month", "year"),
    count: fc.integer({ min: 1, max: 12 }),
  });
  const items = fc.array(item, { minLength: 1, maxLength: 4 });

  test("the reverse change has the opposite direction", () => {
    fc.assert(
      fc.property(items, items, (was, is) => {
        const there = direction(was, is);
        const back = direction(is, was);
        expect(there).toBeDefined();
        expect((there ?? 0) + (back ?? 0)).toBe(0);
      }),
    );
  });

  test("the same items in another order are no change", () => {
    fc.assert(
      fc.property(items, (given) => {
        expect(direction(given, given.toReversed())).toBe(0);
      }),
    );
  });

  test("a year at twelve monthly prices is no change, and one unit more is an upgrade", () => {
    fc.assert(
      fc.property(item, fc.integer({ min: 1, max: 1_000 }), (any, quantity) => {
        const month = { ...any, interval: "month", count: 1, quantity, amount: (any.amount ?? 0) + 1 };
        const year = { ...month, interval: "year", amount: month.amount * 12 };
        expect(direction([month], [year])).toBe(0);
        expect(direction([month], [{ ...month, interval: "year", amount: month.amount * 12 + 1 }])).toBe(1);
        expect(direction([month], [{ ...month, quantity: quantity + 1 }])).toBe(1);
        expect(direction([month], [{ ...month, interval: "month", count: 12, amount: month.amount * 12 }])).toBe(0);
      }),
    );
  });

  test("is unknown between currencies, for different metered items, and without items", () => {
    const one: Recurring = { price: "a", currency: "usd", amount: 100, quantity: 1, interval: "month", count: 1 };
    const open: Recurring = { ...one, price: "use", amount: undefined };
    expect(direction([one], [{ ...one, currency: "eur", amount: 200 }])).toBeUndefined();
    expect(direction([one, { ...one, currency: "eur" }], [one])).toBeUndefined();
    expect(direction([one], [{ ...one, amount: 200 }, open])).toBeUndefined();
    expect(direction([one, open], [{ ...one, amount: 200 }, open])).toBe(1);
    expect(direction([open], [open])).toBe(0);
    expect(direction([open], [{ ...open, quantity: 2 }])).toBe(1);
    expect(direction([{ ...open, quantity: 3 }], [{ ...open, quantity: 2 }])).toBe(-1);
    expect(direction([open], [{ ...open, price: "other", quantity: 2 }])).toBeUndefined();
    expect(
      direction(
        [one, open],
        [
          { ...one, amount: 200 },
          { ...open, price: "other" },
        ],
      ),
    ).toBeUndefined();
    expect(direction([one, { ...open, quantity: 2 }], [{ ...one, amount: 200 }, open])).toBeUndefined();
    expect(direction([], [])).toBeUndefined();
    expect(direction([one], [{ ...one, interval: "fortnight" }])).toBeUndefined();
    expect(perMonth([{ ...one, interval: "year", amount: 29_000 }])).toBeCloseTo(2416.667, 3);
  });

  test("ignores metered items and compares the others", () => {
    const one: Recurring = { price: "a", currency: "usd", amount: 100, quantity: 1, interval: "month", count: 1 };
    const [deliveries, tokens] = ["deliveries", "tokens"].map((price) => ({
      ...one,
      price,
      amount: undefined,
      metered: true,
    }));
    if (!deliveries || !tokens) throw new Error("unreachable");
    const dear = { ...one, price: "b", amount: 200 };
    expect(direction([one, deliveries], [dear, tokens])).toBe(1);
    expect(direction([dear, deliveries], [one, tokens])).toBe(-1);
    expect(direction([one], [dear, deliveries])).toBe(1);
    expect(direction([dear, deliveries], [one])).toBe(-1);
    expect(direction([one], [one, deliveries])).toBe(0);
    expect(direction([deliveries], [tokens])).toBeUndefined();
    expect(direction([deliveries], [deliveries])).toBeUndefined();
    expect(direction([deliveries], [one, deliveries])).toBeUndefined();
    expect(direction([one], [deliveries])).toBeUndefined();
  });

  test("changedInterval finds a product with a new interval, and no other change", () => {
    const month: Recurring = {
      price: "a",
      product: "pro",
      currency: "usd",
      amount: 100,
      quantity: 1,
      interval: "month",
      count: 1,
    };
    const year = { ...month, price: "b", interval: "year" };
    const use = { ...month, price: "use", amount: undefined, metered: true };
    expect(changedInterval([month], [year])).toBe(true);
    expect(changedInterval([{ ...month, count: 12 }], [year])).toBe(false);
    expect(changedInterval([month], [{ ...month, count: 3 }])).toBe(true);
    expect(changedInterval([month, use], [year, use])).toBe(true);
    expect(changedInterval([month], [year, { ...month, product: "seats" }])).toBe(true);
    expect(changedInterval([month], [{ ...year, product: "team" }])).toBe(true);
    const addOn = { ...month, product: "seats" };
    expect(changedInterval([month, addOn], [{ ...year, product: "team" }, addOn])).toBe(true);
    expect(changedInterval([month, addOn], [{ ...month, product: "team" }, addOn])).toBe(false);
    expect(changedInterval([month], [{ ...month, interval: "", product: "team" }])).toBe(false);
    expect(changedInterval([month], [{ ...month, price: "dearer", amount: 300 }])).toBe(false);
    expect(changedInterval([{ ...month, product: undefined }], [{ ...year, product: undefined }])).toBe(true);
    expect(intervalOf([month, use])).toBe("month");
    expect(
      intervalOf([
        { ...month, count: 6 },
        { ...use, interval: "year" },
      ]),
    ).toBe("6 months");
    expect(intervalOf([month, year])).toBeUndefined();
    expect(intervalOf([])).toBeUndefined();
  });
});
