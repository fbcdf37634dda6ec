import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/polar.ts";
import { type Body, recorded } from "./recorded.ts";

const { all, contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

test.each([
  ["subscriptionCanceled", "subscription.revoked"],
  ["cancelScheduled", "subscription.canceled"],
  ["reactivated", "subscription.uncanceled"],
  ["pastDue", "subscription.past_due"],
  ["refunded", "order.refunded"],
  ["customerDeleted", "customer.deleted"],
  ["checkoutAbandoned", "checkout.expired"],
])("makes the event %s on %s", async (name, fixture) => {
  expect(await eventNames(fixture)).toEqual([name]);
});

test.each(["subscription.active.recovered", "subscription.updated.price", "subscription.canceled.at-once"])(
  "makes no event on %s",
  async (name) => {
    expect(await eventNames(name)).toEqual([]);
  },
);

test("starts a new subscription once", async () => {
  const webhooks = [
    "customer.created",
    "order.created",
    "subscription.created",
    "subscription.active",
    "subscription.updated",
    "order.paid",
    "order.updated",
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
  expect(await propertiesOf("subscription.canceled")).toMatchObject({
    plan: expect.any(String),
    subscriptionStatus: expect.any(String),
    currentPeriodEnd: expect.stringMatching(/^2025-12-12T12:00:00\.\d{3}Z$/),
    cancelAtPeriodEnd: true,
  });
});

test("yen have no hundredths", async () => {
  expect(await event("order.paid.yen")).toMatchObject({ amount: "￥4,900", amountValue: 4900 });
  expect(await propertiesOf("order.paid.yen")).toMatchObject({ lastPurchaseAmount: 4900 });
});

test("a free order is not a purchase", async () => {
  const properties = await propertiesOf("order.paid.free");
  expect([properties.lastPurchaseAt, properties.lastPurchaseAmount]).toEqual([undefined, undefined]);
});

test("an update of a customer without an address makes no call and no link", async () => {
  const { calls, links } = await planFor("customer.created.team");
  expect([calls, links]).toEqual([[], []]);
});

test("a deleted customer makes no link", async () => {
  expect(await linksOf("customer.deleted")).toEqual([]);
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
