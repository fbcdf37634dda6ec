import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/chargebee.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { contactsOf, eventNames } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription_cancelled"],
    ["cancelScheduled", "subscription_cancellation_scheduled"],
    ["reactivated", "subscription_scheduled_cancellation_removed"],
    ["trialEnding", "subscription_trial_end_reminder"],
    ["paymentFailed", "payment_failed"],
    ["refunded", "payment_refunded"],
    ["cardExpiring", "card_expiry_reminder"],
    ["customerDeleted", "customer_deleted"],
  ],
  noEvent: ["subscription_changed"],
  started: ["customer_created", "subscription_created", "payment_succeeded"],
  checkout: false,
  cancelScheduled: "subscription_cancellation_scheduled",
  yen: ["payment_succeeded.yen", "￥4,900"],
  noAddress: "customer_changed.no-email",
  deleted: "customer_deleted",
  order: [
    ["subscription_created", "subscription_changed", "subscription_cancellation_scheduled", "subscription_cancelled"],
    ["customer_created", "customer_changed", "customer_deleted"],
  ],
});

test("a later start and a trial start a subscription once", async () => {
  const started = async (...names: string[]) =>
    (await eventNames(...names)).filter((name) => name === "subscriptionStarted").length;
  expect(await started("subscription_created.future", "subscription_started")).toBe(1);
  expect(await started("subscription_created.trial", "subscription_trial_end_reminder", "subscription_activated")).toBe(
    1,
  );
});

test("a subscription of a customer without an address uses the ref", async () => {
  expect(await contactsOf("subscription_changed.no-email")).toEqual([{ ref: expect.stringMatching(/^chargebee:/) }]);
});
