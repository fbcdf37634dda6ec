import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/polar.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription.revoked"],
    ["cancelScheduled", "subscription.canceled"],
    ["reactivated", "subscription.uncanceled"],
    ["pastDue", "subscription.past_due"],
    ["refunded", "order.refunded"],
    ["customerDeleted", "customer.deleted"],
    ["checkoutAbandoned", "checkout.expired"],
    ["cancelScheduled", "subscription.canceled.no-ended-at"],
    ["recovered", "subscription.active.recovered"],
    ["pauseScheduled", "subscription.updated.pause-scheduled"],
    ["seatAssigned", "customer_seat.assigned"],
    ["seatClaimed", "customer_seat.claimed"],
    ["seatRevoked", "customer_seat.revoked"],
  ],
  noEvent: [
    "subscription.active",
    "subscription.active.after-trial",
    "subscription.created.incomplete",
    "subscription.updated.price",
    "subscription.canceled.at-once",
  ],
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

test("a seat is of its person, whom nothing ties to the customer who pays", async () => {
  for (const name of ["customer_seat.assigned", "customer_seat.assigned.no-member", "customer_seat.revoked"]) {
    expect(await contactsOf(name)).toEqual([{ email: "grace@example.com" }]);
    expect(await linksOf(name)).toEqual([]);
  }
  expect(await propertiesOf("customer_seat.claimed")).toEqual({ firstName: "Grace", lastName: "Hopper" });
});

test("a subscription of a customer without an address uses the ref", async () => {
  const contacts = await contactsOf("subscription.updated.team");
  expect(contacts).toEqual(contacts.map(() => ({ ref: expect.stringMatching(/^polar:/) })));
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

test("the state of a customer is that of the best subscription: paid before a trial, then the longest", async () => {
  expect(await propertiesOf("customer.state_changed")).toMatchObject({ subscriptionStatus: "active" });
  expect(await propertiesOf("customer.state_changed.two")).toMatchObject({
    subscriptionStatus: "active",
    currentPeriodEnd: "2025-12-12T12:00:00.100Z",
    cancelAtPeriodEnd: true,
  });
});

test("of several active subscriptions a customer's state shows the one that started later", async () => {
  const later = (index: number) =>
    propertiesOf("customer.state_changed.two", (body) => {
      body.data.active_subscriptions[index].created_at = "2025-11-13T12:00:00.100Z";
    });
  expect(await later(1)).toMatchObject({ currentPeriodEnd: "2025-12-12T12:00:00.100Z" });
  expect(await later(2)).toMatchObject({ currentPeriodEnd: "2025-11-30T12:00:00.100Z" });
  expect(await later(0)).toMatchObject({ subscriptionStatus: "active" });
});

test("the plan in a customer's state is the learned name of its product, else the id; no name of a plan is an id", async () => {
  const product = "255c1878-418e-4d44-acf9-5f734b5a157d";
  expect(await propertiesOf("customer.state_changed")).toMatchObject({ plan: product });
  expect(await event("customer.state_changed")).toMatchObject({ plan: product, status: "active" });
  const { deliveries } = await planFor("customer.state_changed");
  const [{ id, name } = { id: "", name: "" }] = (await planFor("product.updated")).names ?? [];
  expect(name).toBe("Pro plan");
  expect(deliveries).toMatchObject([{ names: { plan: id } }, { names: { plan: id, planName: id } }]);
  expect((await planFor("subscription.created")).names).toEqual([{ id, name: "Pro" }]);
});

test.each(["team", "deleted"])(
  "the state of a customer without an address, or of a deleted one, makes nothing: %s",
  async (name) => {
    const { deliveries } = await planFor(`customer.state_changed.${name}`);
    expect(deliveries).toEqual([]);
  },
);

test("a deleted customer's state makes no link", async () => {
  expect(await linksOf("customer.state_changed.none")).toHaveLength(1);
  expect(await linksOf("customer.state_changed.deleted")).toEqual([]);
});

test("the first payment after a trial converts it; a free renewal is none", async () => {
  expect(await eventNames("order.paid.after-trial")).toEqual(["subscriptionRenewed", "trialConverted"]);
  expect(await eventNames("order.paid.renewal")).toEqual(["subscriptionRenewed"]);
  const { deliveries } = await planFor("order.paid.renewal-free");
  expect(deliveries).toEqual([]);
  // Usage of the last period is charged after the end: a purchase, no renewal.
  expect(await eventNames("order.paid.usage-after-end")).toEqual([]);
  expect(await propertiesOf("order.paid.usage-after-end")).toMatchObject({ lastPurchaseAmount: 8.4 });
});

test("a refund is in order.refunded, and `why` says so", async () => {
  const { deliveries, outcomes } = await planFor("refund.created");
  expect(deliveries).toEqual([]);
  expect(outcomes).toEqual([
    { rule: "refunded", outcome: "not matched", message: expect.stringContaining("order.refunded") },
  ]);
});

test("for a new billing period, `why` names the update that has its rules", async () => {
  const { deliveries, outcomes } = await planFor("subscription.cycled");
  expect(deliveries).toEqual([]);
  expect(outcomes[0]).toMatchObject({
    outcome: "not matched",
    message: expect.stringContaining("subscription.updated"),
  });
});
