import { expect, test } from "vitest";
import { formerRecurring, planOf, recurringOf } from "../../../../src/rules/billing/stripe-items.ts";

test("the quantity of a price per package is whole packages", () => {
  const subscription = (quantity: number, round: string) => ({
    items: { data: [{ quantity, price: { unit_amount: 500, transform_quantity: { divide_by: 10, round } } }] },
  });
  expect(recurringOf(subscription(11, "up"))[0]?.quantity).toBe(2);
  expect(recurringOf(subscription(19, "down"))[0]?.quantity).toBe(1);
  expect(planOf({ items: { data: [] } }, {})).toEqual({});
});

test("a former plan without its price does not get the current price", () => {
  const price = { id: "team", currency: "usd", unit_amount: 9900, recurring: { interval: "month" } };
  const plan = { id: "team", currency: "usd", amount: 9900, interval: "month" };
  const object = { items: { data: [{ id: "si_1", quantity: 1, price, plan }] }, plan };
  const former = { ...plan, id: "pro", amount: 2900 };
  const shapes: object[] = [{ plan: former }, { items: { data: [{ id: "si_1", quantity: 1, plan: former }] } }];
  for (const previous_attributes of shapes) {
    expect(formerRecurring({ object, previous_attributes })).toMatchObject([{ price: "pro", amount: 2900 }]);
  }
  expect(formerRecurring({ object, previous_attributes: { quantity: 3 } as object })).toMatchObject([
    { price: "team", amount: 9900, quantity: 3 },
  ]);
});

test("former items with changed fields only keep the current other fields", () => {
  const object = {
    items: {
      data: [
        {
          id: "si_1",
          quantity: 5,
          price: { id: "p", currency: "usd", unit_amount: 900, recurring: { interval: "month" } },
        },
      ],
    },
  };
  const former = { items: { data: [{ id: "si_1", quantity: 2 }] } } as Partial<typeof object>;
  expect(formerRecurring({ object, previous_attributes: former })).toMatchObject([{ amount: 900, quantity: 2 }]);
  expect(formerRecurring({ object, previous_attributes: {} })).toBeUndefined();
});

test("the table of plans names a price, a plan or a product, and wins over the webhook", () => {
  const of = (price: object, names: Record<string, string>) => planOf({ items: { data: [{ price }] } }, names);
  const price = { id: "price_1SQn0bB7h3m8QwZx", product: "prod_TNyq4Zr8cWm1Hu", nickname: "Pro USD monthly v2" };
  expect(of(price, { price_1SQn0bB7h3m8QwZx: "Pro" })).toEqual({ id: price.id, name: "Pro" });
  expect(of(price, { prod_TNyq4Zr8cWm1Hu: "Pro" })).toEqual({ id: price.id, name: "Pro" });
  expect(of(price, {}).name).toBe("Pro USD monthly v2");
  expect(of({ ...price, nickname: null }, {})).toEqual({ id: price.id, name: undefined });
  expect(planOf({ plan: { id: "gold", name: "Gold" } }, {})).toEqual({ id: "gold", name: "Gold" });
});
