import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/paddle.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { contactsOf, event, eventNames, linksOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription.canceled"],
    ["pastDue", "subscription.past_due"],
    ["paymentFailed", "transaction.payment_failed"],
    ["refunded", "adjustment.updated.refund-approved"],
  ],
  noEvent: [
    "transaction.payment_failed.checkout",
    "transaction.completed.prorated",
    "subscription.updated.cancel-scheduled",
    "subscription.updated.price",
    "adjustment.updated.refund-rejected",
    "adjustment.created.credit",
  ],
  started: [
    "customer.created",
    "subscription.created",
    "subscription.activated",
    "transaction.paid",
    "transaction.completed",
  ],
  cancelScheduled: "subscription.updated.cancel-scheduled",
  yen: ["transaction.completed.yen", "¥4,900"],
  free: "transaction.completed.free-trial",
});

test("a trial starts a subscription once, and an import starts none", async () => {
  const started = async (...names: string[]) =>
    (await eventNames(...names)).filter((name) => name === "subscriptionStarted").length;
  expect(await started("subscription.created.trialing", "subscription.trialing")).toBe(1);
  expect(await started("subscription.imported")).toBe(0);
});

test("a refund makes one event", async () => {
  const names = await eventNames("adjustment.created.refund-pending", "adjustment.updated.refund-approved");
  expect(names.filter((name) => name === "refunded")).toHaveLength(1);
});

test("a card declined at a checkout is not a failed renewal, even for a subscription", async () => {
  const again = (body: Body) => Object.assign(body.data, { subscription_id: "sub_01" });
  expect(await event("transaction.payment_failed.checkout", again)).toBeUndefined();
});

test("subscriptions and payments use the link of their customer", async () => {
  const [link] = await linksOf("customer.created");
  expect(link).toEqual({ ref: expect.stringMatching(/^paddle:ctm_/), email: "ada@example.com" });
  for (const name of ["subscription.created", "transaction.completed", "adjustment.updated.refund-approved"]) {
    expect(await contactsOf(name)).toContainEqual({ ref: link?.ref });
    expect(await linksOf(name)).toEqual([]);
  }
});
