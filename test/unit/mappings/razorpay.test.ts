import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/razorpay.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["paymentSucceeded", "payment.captured"],
    ["paymentFailed", "payment.failed"],
    ["invoicePaid", "invoice.paid"],
    ["subscriptionStarted", "subscription.activated"],
    ["recovered", "subscription.activated.recovered"],
    ["subscriptionRenewed", "subscription.charged.renewal"],
    ["pastDue", "subscription.pending"],
    ["pastDue", "subscription.halted"],
    ["subscriptionPaused", "subscription.paused"],
    ["subscriptionResumed", "subscription.resumed"],
    ["subscriptionCanceled", "subscription.cancelled"],
    ["subscriptionCanceled", "subscription.completed"],
    ["refunded", "refund.processed"],
    ["refundFailed", "refund.failed"],
    ["disputeCreated", "payment.dispute.created"],
    ["disputeClosed", "payment.dispute.won"],
    ["disputeClosed", "payment.dispute.lost"],
  ],
  noEvent: [
    "payment.authorized",
    "payment.captured.invoice",
    "order.paid",
    "subscription.charged",
    "refund.created",
    "payment.dispute.closed",
    "payment_link.paid",
  ],
  started: ["subscription.authenticated", "subscription.activated", "subscription.charged", "payment.captured.invoice"],
  checkout: false,
  customer: ["payment.captured", "razorpay:cust_RCw8Ye3lNmYx0U"],
  order: [
    [
      "subscription.authenticated",
      "subscription.activated",
      "subscription.charged",
      "subscription.halted",
      "subscription.cancelled",
    ],
  ],
});

test("amounts are minor units of the currency", async () => {
  expect(await event("payment.captured")).toMatchObject({ amount: "₹499.00", amountValue: 499, currency: "INR" });
  expect(await event("payment.captured.yen")).toMatchObject({ amount: "¥4,900", amountValue: 4900 });
  expect(await event("payment.captured.kwd")).toMatchObject({ amountValue: 295.99 });
  expect(await propertiesOf("payment.captured.yen")).toMatchObject({ lastPurchaseAmount: 4900 });
});

test("Razorpay's own address for nobody is no contact: the customer is, or no rule matches", async () => {
  expect(new Set((await contactsOf("payment.captured.no-email")).map(({ ref }) => ref))).toEqual(
    new Set(["razorpay:cust_RCw8Ye3lNmYx0U"]),
  );
  for (const name of ["payment.captured", "payment.failed", "refund.processed", "refund.failed", "invoice.paid"]) {
    const { deliveries, links } = await planFor(`${name}.nobody`);
    expect([name, deliveries, links]).toEqual([name, [], []]);
  }
});

test("a subscription by link has no customer: its own id leads to the payer", async () => {
  const ref = "razorpay:sub_RCx9ByLink";
  expect(await linksOf("subscription.charged.by-link")).toEqual([{ ref, email: "grace@example.com" }]);
  expect(await linksOf("subscription.activated.by-link")).toEqual([{ ref, email: "grace@example.com" }]);
  for (const contact of await contactsOf("subscription.activated.by-link")) expect(contact).toEqual({ ref });
});

test("a subscription that is not paid stands below one that runs, and above one that ended", async () => {
  const standingOf = async (name: string) => {
    const { deliveries } = await planFor(`subscription.${name}`);
    return deliveries.flatMap((one) => (one.action === "contact" ? (one.subscription?.standing ?? -1) : []))[0] ?? -1;
  };
  const names = ["activated", "pending", "paused", "halted", "cancelled"];
  const standings = await Promise.all(names.map(standingOf));
  expect(standings).toEqual([50, 30, 20, 10, 0]);
  expect(await Promise.all(["authenticated", "completed"].map(standingOf))).toEqual([10, 0]);
});

test("a refund has its own amount and the total so far", async () => {
  expect(await event("refund.processed.full")).toMatchObject({
    amount: "₹399.00",
    totalRefunded: "₹499.00",
    full: true,
  });
  expect(await event("refund.processed")).toMatchObject({ amount: "₹100.00", full: false });
});

test("a body under another id is the same webhook: the id is not signed", async () => {
  const { webhook } = await planFor("payment.captured");
  expect(webhook.id).toBe(`${webhook.bodyDigest}.RFq02Vd2kLmXw9T`);
  expect(await eventNames("payment.captured")).toHaveLength(1);
});
