import { expect, test } from "vitest";
import { parse } from "../../../src/lib/webhook/parse.ts";
import ruleSet from "../../../src/mappings/shopify.ts";
import { describeBilling } from "./billing.ts";
import { planOf, recorded } from "./recorded.ts";

const { contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["refunded", "refunds.create"],
    ["customerDeleted", "customers.delete"],
  ],
  noEvent: ["checkouts.create.no-consent", "checkouts.update", "orders.paid.till", "refunds.create.restock"],
  customer: ["customers.create", "shopify:7203412345678"],
  noAddress: "customers.update.phone-only",
  testData: ["customers.create.test-notification", "orders.paid.test"],
});

test("amounts are in the currency that the customer paid in", async () => {
  expect(await event("orders.paid")).toMatchObject({ amount: "£46.95", amountValue: 46.95, currency: "GBP" });
  expect(await event("orders.paid.yen")).toMatchObject({ amount: "￥9,350", amountValue: 9350, currency: "JPY" });
  expect(await event("refunds.create.two-payments")).toMatchObject({ amount: "£30.30", amountValue: 30.3 });
});

test("an order is completed once, when it is paid", async () => {
  const names = await eventNames(
    ...["checkouts.create", "checkouts.update", "orders.create", "orders.paid", "checkouts.update.completed"],
  );
  expect(names.filter((name) => name === "orderCompleted")).toHaveLength(1);
  expect(await propertiesOf("orders.paid")).toMatchObject({ checkoutUrl: null, checkoutOpenedAt: null });
});

test("refunds use the link of their order, deleted customers that of the customer", async () => {
  const links = await linksOf("orders.paid");
  expect(await contactsOf("refunds.create")).toEqual([{ ref: links[0]?.ref }]);
  expect(await contactsOf("customers.delete")).toEqual([{ ref: links[1]?.ref }]);
  expect(new Set(links.map(({ email }) => email))).toEqual(new Set(["ada@example.com"]));
});

test("a test notification is test data, and its id beyond 2^53 is exact", async () => {
  const { webhook, raw } = await planFor("customers.create.test-notification");
  expect(webhook.test).toBe(true);
  expect((await planFor("customers.create.redelivered")).webhook.test).toBe(false);
  const { calls } = await planOf(ruleSet, parse(raw), { "X-Shopify-Topic": "customers/create" });
  expect(calls).toMatchObject([{ properties: { shopifyCustomerId: "706405506930370084" } }]);
});

test("an order without a price is a purchase without an amount", async () => {
  const properties = await propertiesOf("orders.paid.no-price");
  expect(properties).toHaveProperty("lastPurchaseAt");
  expect(properties).not.toHaveProperty("lastPurchaseAmount");
  expect((await planFor("orders.cancelled.no-price")).outcomes).toMatchObject([{ outcome: "matched" }]);
});
