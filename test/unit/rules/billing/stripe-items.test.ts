import { expect, test } from "vitest";
import { mainItem, type PlanNames } from "../../../../src/rules/billing/plan-item.ts";
import {
  formerRecurring,
  planName,
  planNameOrId,
  planReader,
  recurringOf,
} from "../../../../src/rules/billing/stripe-items.ts";

const planOf = (object: object, names: PlanNames) =>
  planReader(names, (items, former) => mainItem(items, names, former)).planOf({ object });

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
  expect(of(price, { price_1SQn0bB7h3m8QwZx: "Pro" })).toMatchObject({ id: price.id, name: "Pro" });
  expect(of(price, { prod_TNyq4Zr8cWm1Hu: "Pro" })).toMatchObject({ id: price.id, name: "Pro" });
  expect(of(price, {}).name).toBe("Pro USD monthly v2");
  expect(of({ ...price, nickname: null }, {})).toMatchObject({ id: price.id, name: undefined, code: undefined });
  expect(planOf({ plan: { id: "gold", name: "Gold" } }, {})).toMatchObject({ id: "gold", name: "Gold", code: "gold" });
});

test("a plan without a name has that of its product, else its code, and only for segments its id", () => {
  const id = "price_1SQn0bB7h3m8QwZx";
  const product = "prod_TNyq4Zr8cWm1Hu";
  const of = (price: object) => {
    const plan = planOf({ items: { data: [{ price: { id, ...price } }] } }, {});
    return [planName(plan), planNameOrId(plan)];
  };
  expect(of({ product, nickname: "Pro" })).toEqual(["Pro", "Pro"]);
  expect(of({ product: { id: product, name: "Pro" } })).toEqual(["Pro", "Pro"]);
  expect(of({ product, lookup_key: "pro" })).toEqual(Array(2).fill({ nameOf: product, otherwise: "pro" }));
  expect(of({ product })).toEqual([
    { nameOf: product, otherwise: undefined },
    { nameOf: product, otherwise: id },
  ]);
  expect(of({})).toEqual([undefined, id]);
});
