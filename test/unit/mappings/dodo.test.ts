import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/dodo.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { contactsOf, event, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionStarted", "subscription.active"],
    ["subscriptionStarted", "subscription.active.trial"],
    ["recovered", "subscription.active.recovered"],
    ["subscriptionRenewed", "subscription.renewed"],
    ["planChanged", "subscription.plan_changed"],
    ["pastDue", "subscription.on_hold"],
    ["pastDue", "subscription.past_due"],
    ["subscriptionPaused", "subscription.paused"],
    ["subscriptionResumed", "subscription.unpaused"],
    ["cancelScheduled", "subscription.cancelled.scheduled"],
    ["subscriptionCanceled", "subscription.cancelled"],
    ["subscriptionCanceled", "subscription.expired"],
    ["checkoutCompleted", "payment.succeeded"],
    ["invoicePaid", "payment.succeeded.subscription"],
    ["paymentFailed", "payment.failed"],
    ["refunded", "refund.succeeded"],
    ["refundFailed", "refund.failed"],
    ["disputeCreated", "dispute.opened"],
    ["disputeClosed", "dispute.lost"],
    ["licenseKeyCreated", "license_key.created"],
    ["checkoutAbandoned", "abandoned_checkout.detected"],
  ],
  noEvent: [
    "subscription.renewed.first",
    "subscription.failed",
    "payment.succeeded.free",
    "payment.succeeded.new-card",
    "payment.processing",
    "payment.cancelled",
    "dispute.challenged",
  ],
  started: ["subscription.active", "subscription.renewed.first", "payment.succeeded.subscription"],
  checkout: false,
  cancelScheduled: "subscription.cancelled.scheduled",
  yen: ["payment.succeeded.yen", "¥4,900"],
  free: "payment.succeeded.free",
  customer: ["payment.succeeded", "dodo:cus_8VbC6JDZzPEqfBPUdpj0K"],
  order: [["subscription.active", "subscription.renewed", "subscription.on_hold", "subscription.cancelled"]],
});

test("a subscription that never began stands with the ended ones, one on hold below one that runs", async () => {
  const standingOf = async (name: string) => {
    const { deliveries } = await planFor(`subscription.${name}`);
    return deliveries.flatMap((one) => (one.action === "contact" ? (one.subscription?.standing ?? -1) : []))[0];
  };
  expect(await Promise.all(["active", "on_hold", "past_due", "paused", "failed", "expired"].map(standingOf))).toEqual([
    50, 30, 30, 20, 0, 0,
  ]);
});

test("a trial has its end, other subscriptions none", async () => {
  expect(await propertiesOf("subscription.active.trial")).toMatchObject({ trialEndsAt: "2025-11-26T11:59:00.000Z" });
  expect(await propertiesOf("subscription.active")).not.toHaveProperty("trialEndsAt");
});

test("a new card is checked with a payment that is no purchase", async () => {
  expect(await propertiesOf("payment.succeeded.new-card")).toEqual({});
});

test("a license key is mailed by Dodo and stays out of the event; a refund without an amount has none", async () => {
  expect(await event("license_key.created")).toEqual({
    name: "licenseKeyCreated",
    activations: 3,
    expiresAt: "2026-11-12T12:00:00.000Z",
  });
  expect(await event("refund.succeeded.no-amount")).toEqual({ name: "refunded", full: true });
  expect(await contactsOf("license_key.created")).toEqual([{ ref: "dodo:cus_8VbC6JDZzPEqfBPUdpj0K" }]);
});
