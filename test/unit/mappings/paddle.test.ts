import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/paddle.ts";
import { type Body, recorded } from "./recorded.ts";

const { all, contactsOf, event, eventNames, linksOf, propertiesOf } = recorded(ruleSet);

test.each([
  ["subscriptionCanceled", "subscription.canceled"],
  ["pastDue", "subscription.past_due"],
  ["paymentFailed", "transaction.payment_failed"],
  ["refunded", "adjustment.updated.refund-approved"],
])("makes the event %s on %s", async (name, fixture) => {
  expect(await eventNames(fixture)).toEqual([name]);
});

test.each([
  "transaction.payment_failed.checkout",
  "transaction.completed.prorated",
  "subscription.updated.cancel-scheduled",
  "subscription.updated.price",
  "adjustment.updated.refund-rejected",
  "adjustment.created.credit",
])("makes no event on %s", async (name) => {
  expect(await eventNames(name)).toEqual([]);
});

test("starts a new subscription once", async () => {
  const webhooks = [
    "customer.created",
    "subscription.created",
    "subscription.activated",
    "transaction.paid",
    "transaction.completed",
  ];
  const events = await eventNames(...webhooks);
  const count = (name: string) => events.filter((each) => each === name).length;
  expect(count("subscriptionStarted")).toBe(1);
  expect(count("checkoutCompleted")).toBe(1);
  for (const other of ["subscriptionRenewed", "recovered", "upgraded", "downgraded", "reactivated", "planChanged"]) {
    expect(count(other), other).toBe(0);
  }
});

test("writes the state of a subscription", async () => {
  expect(await propertiesOf("subscription.updated.cancel-scheduled")).toMatchObject({
    plan: expect.any(String),
    subscriptionStatus: expect.any(String),
    currentPeriodEnd: expect.stringMatching(/^2025-12-12T12:00:00\.\d{3}Z$/),
    cancelAtPeriodEnd: true,
  });
});

test("yen have no hundredths", async () => {
  expect(await event("transaction.completed.yen")).toMatchObject({ amount: "¥4,900", amountValue: 4900 });
  expect(await propertiesOf("transaction.completed.yen")).toMatchObject({ lastPurchaseAmount: 4900 });
});

test("a free order is not a purchase", async () => {
  const properties = await propertiesOf("transaction.completed.free-trial");
  expect([properties.lastPurchaseAt, properties.lastPurchaseAmount]).toEqual([undefined, undefined]);
});

test("an id that a buyer can set is never a user id", async () => {
  for (const { name, calls, links } of await all()) {
    const identifiers = [...calls.map(({ contact }) => contact), ...links];
    expect(
      identifiers.filter(({ userId }) => userId),
      name,
    ).toEqual([]);
  }
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
