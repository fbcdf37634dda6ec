import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/lemon-squeezy.ts";
import { type Body, recorded } from "./recorded.ts";

const { all, event, eventNames, linksOf, propertiesOf } = recorded(ruleSet);

test.each([
  ["subscriptionCanceled", "subscription_expired"],
  ["cancelScheduled", "subscription_cancelled"],
  ["reactivated", "subscription_resumed"],
  ["recovered", "subscription_payment_recovered"],
  ["paymentFailed", "subscription_payment_failed"],
  ["refunded", "order_refunded"],
])("makes the event %s on %s", async (name, fixture) => {
  expect(await eventNames(fixture)).toEqual([name]);
});

test.each(["order_created.pending", "subscription_payment_success.updated", "subscription_updated.past-due"])(
  "makes no event on %s",
  async (name) => {
    expect(await eventNames(name)).toEqual([]);
  },
);

test("starts a new subscription once", async () => {
  const webhooks = ["order_created", "subscription_created", "subscription_payment_success", "subscription_updated"];
  const events = await eventNames(...webhooks);
  const count = (name: string) => events.filter((each) => each === name).length;
  expect(count("subscriptionStarted")).toBe(1);
  expect(count("checkoutCompleted")).toBe(1);
  for (const other of ["subscriptionRenewed", "recovered", "upgraded", "downgraded", "reactivated", "planChanged"]) {
    expect(count(other), other).toBe(0);
  }
});

test("writes the state of a subscription", async () => {
  expect(await propertiesOf("subscription_cancelled")).toMatchObject({
    plan: expect.any(String),
    subscriptionStatus: expect.any(String),
    currentPeriodEnd: expect.stringMatching(/^2025-12-12T12:00:00\.\d{3}Z$/),
    cancelAtPeriodEnd: true,
  });
});

test("yen have no hundredths", async () => {
  expect(await event("order_created.yen")).toMatchObject({ amount: "¥4,900", amountValue: 4900 });
  expect(await propertiesOf("order_created.yen")).toMatchObject({ lastPurchaseAmount: 4900 });
});

test("a free order is not a purchase", async () => {
  const properties = await propertiesOf("order_created.trial");
  expect([properties.lastPurchaseAt, properties.lastPurchaseAmount]).toEqual([undefined, undefined]);
});

test("links a customer's id and address", async () => {
  expect(await linksOf("order_created")).toEqual([
    { ref: "lemonsqueezy:4182733", email: expect.stringContaining("@example.com") },
  ]);
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

test("marks test data, and nothing else, as such", async () => {
  const tests = (await all()).filter(({ webhook }) => webhook.test);
  expect(tests.map(({ name }) => name)).toEqual(["order_created.test"]);
});

test.each([[["subscription_created", "subscription_updated", "subscription_cancelled", "subscription_expired"]]])(
  "ranks the later state higher: %s",
  (types) => {
    const { handler } = ruleSet;
    const ranks = types.map((type) => handler.rank?.(type) ?? 0);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(handler.rank?.("something.else")).toBe(0);
  },
);

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
  expect(Object.keys((await event("order_refunded.partial", without)) ?? {})).toEqual([
    ...["name", "currency", "full"],
  ]);
});
