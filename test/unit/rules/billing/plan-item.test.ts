import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mainItem, type PlanChoice, type PlanItem } from "../../../../src/rules/billing/plan-item.ts";
import { planReader } from "../../../../src/rules/billing/stripe-items.ts";
import { planLine } from "../../../../src/rules/billing/stripe-lines.ts";

const item = (id: string, more: Partial<PlanItem> = {}): PlanItem => ({
  ids: [`price_${id}`, `prod_${id}`],
  product: `prod_${id}`,
  name: id,
  extra: false,
  monthly: 1000,
  quantity: 1,
  addedAt: 1_700_000_000,
  ...more,
});
const chosen = (items: readonly PlanItem[], names = {}, former?: string) => mainItem(items, names, former)?.name;

describe("the item that is the plan", () => {
  const usage = item("usage", { extra: true, monthly: undefined });
  const free = item("free", { monthly: 0 });
  const pro = item("pro", { monthly: 2900 });
  const seat = item("seat", { monthly: 900, quantity: 50 });
  const tiers = item("tiers", { monthly: undefined });

  test("is neither usage nor a free item, where another one is there", () => {
    expect(chosen([usage, free, pro])).toBe("pro");
    expect(chosen([usage, free, tiers])).toBe("tiers");
    expect(chosen([item("none", { monthly: 9900, quantity: 0 }), pro])).toBe("pro");
    expect(chosen([usage, free])).toBe("free");
    expect(chosen([usage])).toBe("usage");
    expect(chosen([])).toBeUndefined();
  });

  test("is the dearest by the price of one unit, not by the number of units", () => {
    expect(chosen([seat, pro])).toBe("pro");
    expect(chosen([tiers, seat])).toBe("seat");
  });

  test("is one that the table of names has, by price or product, before all others", () => {
    expect(chosen([pro, seat], { prod_seat: "Team" })).toBe("seat");
    expect(chosen([pro, seat], { price_seat: "Team" }, "prod_pro")).toBe("seat");
    expect(chosen([pro, seat], { prod_pro: "Pro", prod_seat: "Seats" })).toBe("pro");
    expect(chosen([usage, pro], { prod_usage: "Pay as you go" })).toBe("pro");
    expect(chosen([pro, seat], { toString: "Object's own" })).toBe("pro");
  });

  test.each([
    "Analytics addon",
    "Analytics add-ons",
    "Monthly (recurring add on)",
    "addon_sso",
    "Add-on: more storage",
    "pro_addon",
  ])("is no item that is called an add-on, if another one is there: %s", (name) => {
    const addOn = item("x", { name, monthly: 9900 });
    expect(chosen([addOn, pro])).toBe("pro");
    expect(chosen([addOn, tiers])).toBe("tiers");
    expect(chosen([addOn, pro], {}, "prod_x")).toBe("pro");
    expect(chosen([{ ...addOn, name: "Analytics", addOn: true }, pro])).toBe("pro");
    expect(chosen([addOn, usage, free])).toBe(name);
    expect(chosen([addOn, pro], { prod_x: "Team" })).toBe(name);
  });

  test.each(["Pro with add-ons for teams", "Padd one", "Addonis"])("may be called %s", (name) => {
    expect(chosen([item("x", { name, monthly: 9900 }), pro])).toBe(name);
  });

  test("stays the product that the subscription had, before a dearer one", () => {
    expect(chosen([pro, seat], {}, "prod_seat")).toBe("seat");
    expect(chosen([pro, seat], {}, "prod_gone")).toBe("pro");
    expect(chosen([usage, seat], {}, "prod_usage")).toBe("seat");
  });

  test("of equal prices is the earlier one, then the shorter name, then the smaller id", () => {
    expect(chosen([item("b"), item("a", { addedAt: 1_800_000_000 })])).toBe("b");
    expect(chosen([item("long"), item("b")])).toBe("b");
    expect(chosen([item("b"), item("a")])).toBe("a");
  });

  test("is the same in every order of the items", () => {
    const any = fc.record({
      ids: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1, maxLength: 3 }),
      product: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
      name: fc.option(fc.constantFrom("Pro", "Max", "Extra seats", "Add-on"), { nil: undefined }),
      extra: fc.boolean(),
      monthly: fc.option(fc.constantFrom(-500, 0, 900, 2900), { nil: undefined }),
      quantity: fc.integer({ min: 0, max: 3 }),
      addedAt: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    });
    const items = fc.uniqueArray(any, { selector: ({ ids }) => ids.join(), minLength: 1, maxLength: 6 });
    const shuffled = items.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom(undefined, "a", "b"), ([given, other], former) => {
        expect(mainItem(other, { c: "C" }, former)).toBe(mainItem(given, { c: "C" }, former));
      }),
    );
  });
});

describe("an add-on that costs more than a unit of the plan is not the plan", () => {
  const price = (id: string, unit_amount: number, more: object) => ({
    id,
    product: `prod_${id}`,
    unit_amount,
    ...more,
  });
  const { planOf } = planReader({}, (items, former) => mainItem(items, {}, former));

  test.each([{ nickname: "Analytics add-on" }, { lookup_key: "addon_analytics" }, { nickname: "Analytics addon" }])(
    "of a subscription at Stripe: %o",
    (more) => {
      const data = [
        { price: price("addon", 10_000, { nickname: "Analytics", ...more }) },
        { price: price("pro", 3_000, { nickname: "Pro" }), quantity: 10 },
      ];
      expect(planOf({ object: { items: { data } } })).toMatchObject({ name: "Pro" });
    },
  );

  test.each(["1 × Analytics addon (at $100.00 / month)", "Analytics add-on"])("of an invoice: %s", (description) => {
    const plan = "10 × Pro (at $30.00 / month)";
    const data = [
      { amount: 10_000, description },
      { amount: 30_000, description: plan, quantity: 10 },
    ];
    expect(planLine({ lines: { data } }, (items) => mainItem(items, {}))).toBe(plan);
  });
});

test("a rule file's own choice holds for subscriptions and for invoices", () => {
  const product = "prod_seat";
  const planItem: PlanChoice = (items, former) =>
    items.find((each) => each.product === product) ?? mainItem(items, {}, former);
  const price = (id: string, unit_amount: number) => ({ id, product: `prod_${id}`, nickname: id, unit_amount });
  const data = [{ price: price("pro", 2900) }, { price: price("seat", 900) }];
  const { planOf, formerPlanOf } = planReader({}, planItem);
  expect(planOf({ object: { items: { data } } })).toMatchObject({ name: "seat", product });
  const former: { object: object; previous_attributes: object } = {
    object: {},
    previous_attributes: { items: { data } },
  };
  expect(formerPlanOf(former)).toMatchObject({ name: "seat" });
  const lines = [
    { amount: 2900, description: "Pro", price: { id: "pro", product: "prod_pro" } },
    { amount: 900, description: "Seat", price: { id: "seat", product } },
  ];
  expect(planLine({ lines: { data: lines } }, planItem)).toBe("Seat");
});
