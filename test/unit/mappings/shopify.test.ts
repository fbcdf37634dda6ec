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
    ["subscriptionStarted", "subscription_contracts.create"],
    ["subscriptionResumed", "subscription_contracts.activate"],
    ["subscriptionPaused", "subscription_contracts.pause"],
    ["pastDue", "subscription_contracts.fail"],
    ["subscriptionCanceled", "subscription_contracts.cancel"],
    ["subscriptionCanceled", "subscription_contracts.expire"],
    ["orderCompleted", "orders.paid.guest"],
    ["disputeCreated", "disputes.create"],
    ["disputeClosed", "disputes.update.lost"],
  ],
  noEvent: [
    "checkouts.create.no-consent",
    "checkouts.update",
    "orders.paid.till",
    "refunds.create.restock",
    "refunds.create.pending",
    "subscription_contracts.create.paused",
    "subscription_contracts.update",
    "disputes.create.no-order",
    "disputes.update",
  ],
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
    "checkouts.create",
    "checkouts.update",
    "orders.create",
    "orders.paid",
    "checkouts.update.completed",
  );
  expect(names.filter((name) => name === "orderCompleted")).toHaveLength(1);
  expect(await propertiesOf("orders.paid")).toMatchObject({ checkoutUrl: null, checkoutOpenedAt: null });
});

test("refunds and disputes use the link of their order, deleted customers that of the customer", async () => {
  const links = await linksOf("orders.paid");
  expect(await contactsOf("refunds.create")).toEqual([{ ref: links[0]?.ref }]);
  expect(await contactsOf("disputes.create")).toEqual([{ ref: links[0]?.ref }]);
  expect(await contactsOf("customers.delete")).toEqual([{ ref: links[1]?.ref }]);
  expect(new Set(links.map(({ email }) => email))).toEqual(new Set(["ada@example.com"]));
});

test("a test notification is test data, and its id beyond 2^53 is exact", async () => {
  const { webhook, raw } = await planFor("customers.create.test-notification");
  expect(webhook.test).toBe(true);
  expect((await planFor("customers.create.redelivered")).webhook.test).toBe(false);
  const { deliveries } = await planOf(ruleSet, parse(raw), { "X-Shopify-Topic": "customers/create" });
  expect(deliveries).toMatchObject([{ properties: { shopifyCustomerId: "706405506930370084" } }]);
});

test("an order without a price is a purchase without an amount", async () => {
  const properties = await propertiesOf("orders.paid.no-price");
  expect(properties).toHaveProperty("lastPurchaseAt");
  expect(properties).not.toHaveProperty("lastPurchaseAmount");
  expect((await planFor("orders.cancelled.no-price")).outcomes).toMatchObject([{ outcome: "matched" }]);
});

test("a free order is completed, and is no purchase", async () => {
  expect(await eventNames("orders.paid.free")).toEqual(["orderCompleted"]);
  const properties = await propertiesOf("orders.paid.free");
  expect(properties).toMatchObject({ checkoutUrl: null });
  expect(properties).not.toHaveProperty("lastPurchaseAt");
  expect(properties).not.toHaveProperty("lastPurchaseAmount");
});

test("dinars have thousandths; a refund is in the currency that the customer paid in", async () => {
  expect(await event("orders.paid.kwd")).toMatchObject({ amountValue: 12.5, currency: "KWD" });
  expect((await event("orders.paid.kwd"))?.amount).toMatch(/12\.500$/);
  expect(await event("refunds.create.other-currency")).toMatchObject({ amount: "€48.35", currency: "EUR" });
});

test("a guest's order reaches the address and links no customer", async () => {
  expect(await linksOf("orders.paid.guest")).toEqual([
    { ref: "shopify:order:5723412345678", email: "grace@example.com" },
  ]);
});

test("ids of an order and its customer beyond 2^53 are exact", async () => {
  const { raw } = await planFor("orders.paid.big-ids");
  const { deliveries, links } = await planOf(ruleSet, parse(raw), { "X-Shopify-Topic": "orders/paid" });
  expect(links.map(({ ref }) => ref)).toEqual(["shopify:order:9223372036854775807", "shopify:9007199254740993"]);
  expect(deliveries[0]).toMatchObject({ properties: { shopifyCustomerId: "9007199254740993" } });
});

test("a checkout without a price is started without an amount", async () => {
  const started = await event("checkouts.create.no-price");
  expect(started).toMatchObject({ name: "checkoutStarted" });
  expect(started).not.toHaveProperty("amount");
});

test.each([
  "customers.data_request",
  "customers.redact",
  "shop.redact",
  "customers.enable",
  "customers.disable",
  "draft_orders.create",
])("%s is accepted and makes no delivery", async (name) => {
  const { deliveries, outcomes } = await planFor(name);
  expect([deliveries, outcomes]).toEqual([[], []]);
});

test("a subscription contract reaches its customer by the id", async () => {
  expect(new Set((await contactsOf("subscription_contracts.create")).map(({ ref }) => ref))).toEqual(
    new Set(["shopify:7203412345678"]),
  );
  expect(await event("subscription_contracts.create")).toMatchObject({ interval: "3 months" });
});
