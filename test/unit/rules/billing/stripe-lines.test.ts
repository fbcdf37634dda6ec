import { describe, expect, test } from "vitest";
import { mainItem, type PlanNames } from "../../../../src/rules/billing/plan-item.ts";
import { planLine } from "../../../../src/rules/billing/stripe-lines.ts";

type Invoice = Parameters<typeof planLine>[0];
type Line = NonNullable<Invoice["lines"]>["data"][number];

const RENEWED = 1_765_540_800;
const DAY = 86_400;
const next = { start: RENEWED, end: RENEWED + 31 * DAY };
const former = { start: RENEWED - 30 * DAY, end: RENEWED };

const chosen = (lines: readonly Line[], names: PlanNames = {}) => {
  const of = (data: readonly Line[]) =>
    planLine({ lines: { data }, period_end: RENEWED }, (items) => mainItem(items, names));
  const given = of(lines);
  expect(of(lines.toReversed())).toBe(given);
  return given;
};

describe("the line of an invoice that names the plan", () => {
  const pro: Line = { amount: 2000, quantity: 1, description: "1 × Pro (at $20.00 / month)", period: next };

  test("is not usage: by its price, by a period that is over, by its unit", () => {
    const usage = { amount: 90_000, quantity: 1, description: "Usage" };
    expect(chosen([{ ...usage, period: next, price: { recurring: { usage_type: "metered" } } }, pro])).toMatch(/Pro/);
    expect(chosen([{ ...usage, period: next, plan: { usage_type: "metered" } }, pro])).toMatch(/Pro/);
    expect(chosen([{ ...usage, period: former }, pro])).toMatch(/Pro/);
    expect(chosen([{ ...usage, quantity: 45_000 }, pro])).toMatch(/Pro/);
    expect(chosen([{ amount: 90_000, description: "45,000 calls × API (at $0.02 / call)" }, pro])).toMatch(/Pro/);
    expect(chosen([{ ...usage, period: former, price: { recurring: { usage_type: "licensed" } } }, pro])).toBe("Usage");
  });

  test("is neither a proration nor a one-time charge, where another line is there", () => {
    const more = { amount: 90_000, quantity: 1, description: "More", period: next };
    const marks: Partial<Line>[] = [
      { proration: true },
      { parent: { subscription_item_details: { proration: true } } },
      { parent: { invoice_item_details: { proration: true } } },
      { parent: { type: "invoice_item_details" } },
      { type: "invoiceitem" },
    ];
    for (const mark of marks) expect(chosen([{ ...more, ...mark }, pro])).toMatch(/Pro/);
    const back = { amount: -1500, description: "Unused time on Pro", proration: true };
    expect(chosen([back, { ...more, proration: true }])).toBe("More");
  });

  test("is the dearest by month, and one that the table of names has before it", () => {
    const yearly = {
      amount: 12_000,
      description: "1 × Pro yearly",
      period: { start: RENEWED, end: RENEWED + 365 * DAY },
    };
    const storage = { amount: 1500, quantity: 3, description: "3 × Storage", period: next };
    const support = { amount: 3000, quantity: 1, description: "1 × Support", period: next };
    expect(chosen([yearly, storage])).toMatch(/Pro yearly/);
    expect(chosen([yearly, support])).toMatch(/Support/);
    const named = { ...storage, pricing: { price_details: { price: "price_s", product: "prod_s" } } };
    expect(chosen([support, named], { prod_s: "Storage" })).toMatch(/Storage/);
    expect(chosen([support, { ...storage, price: { id: "price_s" } }], { price_s: "Storage" })).toMatch(/Storage/);
  });

  test("is none without lines or without a description", () => {
    expect(planLine({}, (items) => items[0])).toBeUndefined();
    expect(planLine({ lines: { data: [{ amount: 1, description: null }] } }, (items) => items[0])).toBeUndefined();
  });
});
