import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/polar.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { contactsOf, event } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription.revoked"],
    ["cancelScheduled", "subscription.canceled"],
    ["reactivated", "subscription.uncanceled"],
    ["pastDue", "subscription.past_due"],
    ["refunded", "order.refunded"],
    ["customerDeleted", "customer.deleted"],
    ["checkoutAbandoned", "checkout.expired"],
  ],
  noEvent: ["subscription.active.recovered", "subscription.updated.price", "subscription.canceled.at-once"],
  started: [
    "customer.created",
    "order.created",
    "subscription.created",
    "subscription.active",
    "subscription.updated",
    "order.paid",
    "order.updated",
  ],
  cancelScheduled: "subscription.canceled",
  yen: ["order.paid.yen", "￥4,900"],
  free: "order.paid.free",
  noAddress: "customer.created.team",
  deleted: "customer.deleted",
});

test("a subscription of a customer without an address uses the ref", async () => {
  expect(await contactsOf("subscription.updated.team")).toEqual([{ ref: expect.stringMatching(/^polar:/) }]);
});

test("a subscription that is canceled at once makes no cancelScheduled", async () => {
  const now = (body: Body) => Object.assign(body.data, { cancel_at_period_end: false });
  expect(await event("subscription.canceled", now)).toBeUndefined();
});

test("a partial refund has the total refunded so far and no amount of its own", async () => {
  const refunded = await event("order.refunded.partial");
  expect(refunded).toMatchObject({ totalRefundedValue: 12, full: false });
  expect(Object.keys(refunded ?? {})).not.toContain("amount");
  expect(Object.keys(refunded ?? {})).not.toContain("amountValue");
});

test("amounts are formatted in the customer's locale", async () => {
  expect((await event("order.paid"))?.amount).toBe("US$34.80");
});
