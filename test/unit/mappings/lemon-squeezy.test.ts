import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/lemon-squeezy.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { event, eventNames, linksOf, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription_expired"],
    ["cancelScheduled", "subscription_cancelled"],
    ["reactivated", "subscription_resumed"],
    ["recovered", "subscription_payment_recovered"],
    ["paymentFailed", "subscription_payment_failed"],
    ["refunded", "order_refunded"],
    ["affiliateActivated", "affiliate_activated"],
    ["licenseKeyUpdated", "license_key_updated.expired"],
    ["subscriptionRenewed", "subscription_payment_success.renewal-brl"],
  ],
  noEvent: [
    "order_created.pending",
    "subscription_payment_success.updated",
    "subscription_payment_success.renewal-free",
    "subscription_updated.past-due",
  ],
  started: ["order_created", "subscription_created", "subscription_payment_success", "subscription_updated"],
  cancelScheduled: "subscription_cancelled",
  yen: ["order_created.yen", "¥4,900"],
  free: "order_created.trial",
  customer: ["order_created", "lemonsqueezy:4182733"],
  testData: ["order_created.test-on-object", "order_created.test"],
  order: [["subscription_created", "subscription_updated", "subscription_cancelled", "subscription_expired"]],
});

test("a refunded order makes one event", async () => {
  const names = await eventNames("order_refunded", "subscription_payment_refunded.first");
  expect(names.filter((name) => name === "refunded")).toHaveLength(1);
});

test("a partial refund has the total refunded so far and no amount of its own", async () => {
  const refunded = await event("order_refunded.partial");
  expect(refunded).toMatchObject({ totalRefundedValue: 10, full: false });
  expect(Object.keys(refunded ?? {})).not.toContain("amount");
  expect(Object.keys(refunded ?? {})).not.toContain("amountValue");
});

test("a full refund without refunded_amount is the whole amount; a partial one has none", async () => {
  const without = (body: Body) => delete body.data.attributes.refunded_amount;
  expect(await event("order_refunded", without)).toMatchObject({ totalRefundedValue: 29 });
  expect(Object.keys((await event("order_refunded.partial", without)) ?? {})).toEqual(["name", "currency", "full"]);
});

test("a free renewal is no purchase", async () => {
  expect(await propertiesOf("subscription_payment_success.renewal-free")).toEqual({});
});

test("a plan is named by its product and variant; a product without variants by its name alone", async () => {
  const planOf = async (name: string) => (await event(name))?.planName;
  expect(await planOf("subscription_plan_changed.yearly")).toBe("Team Yearly");
  expect(await planOf("subscription_created.no-variant")).toBe("Handbook club");
  expect(await planOf("subscription_created.2023")).toBe("Pro");
});

test("an affiliate is no customer: no link", async () => {
  expect(await linksOf("affiliate_activated")).toEqual([]);
});
