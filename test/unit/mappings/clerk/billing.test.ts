import { describe, expect, test } from "vitest";
import ruleSet from "../../../../src/mappings/clerk.ts";
import { type Body, eventsOf, recorded } from "../recorded.ts";

const { all, eventNames, names, planFor, propertiesOf } = recorded(ruleSet);
const PRO = { plan: "Pro", planName: "Pro" };
const isBilling = (name: string) => /^(subscription|subscriptionItem|paymentAttempt)\./.test(name);

test.each([
  ["subscriptionItem.active", { name: "subscriptionStarted", ...PRO, status: "active", interval: "month" }],
  ["subscriptionItem.active.trial", { name: "subscriptionStarted", ...PRO, status: "trialing", interval: "month" }],
  [
    "subscriptionItem.active.annual",
    { name: "subscriptionStarted", plan: "Team", planName: "Team", status: "active", interval: "year" },
  ],
  ["subscriptionItem.active.recovered", { name: "recovered", ...PRO }],
  ["subscriptionItem.active.plan-null", { name: "subscriptionStarted", status: "active", interval: "month" }],
  ["subscriptionItem.canceled", { name: "cancelScheduled", ...PRO, endsAt: "2025-11-13T15:00:00.000Z" }],
  ["subscriptionItem.ended", { name: "subscriptionCanceled", ...PRO }],
  ["subscriptionItem.ended.unpaid", { name: "subscriptionCanceled", ...PRO }],
  ["subscriptionItem.pastDue", { name: "pastDue", ...PRO }],
  ["subscriptionItem.freeTrialEnding", { name: "trialEnding", ...PRO, trialEndsAt: "2025-10-28T15:00:00.000Z" }],
])("%s makes one event for the user", async (name, event) => {
  const { deliveries } = await planFor(name);
  expect(eventsOf(deliveries)).toEqual([event]);
  expect(deliveries.map(({ contact }) => contact)).toEqual([{ userId: "user_32Xk8QzXcVbNmAsDfGhJkLpOiUy" }]);
});

test.each([
  ["checkout", ["checkoutCompleted"]],
  ["checkout.trial", []],
  ["checkout.failed", []],
  ["renewed", ["subscriptionRenewed"]],
  ["renewed.yen", ["subscriptionRenewed"]],
  ["failed", ["paymentFailed"]],
  ["failed.guide-name", ["paymentFailed"]],
])("paymentAttempt.updated.%s makes %j", async (name, events) => {
  expect(await eventNames(`paymentAttempt.updated.${name}`)).toEqual(events);
});

test("a payment is a purchase in major units; a free checkout and a failed payment are none", async () => {
  expect(await propertiesOf("paymentAttempt.updated.checkout")).toEqual({
    lastPurchaseAt: "2025-10-14T15:00:00.050Z",
    lastPurchaseAmount: 29,
  });
  expect(await propertiesOf("paymentAttempt.updated.renewed.yen")).toMatchObject({ lastPurchaseAmount: 4900 });
  for (const name of ["checkout.trial", "checkout.failed", "failed"])
    expect(await propertiesOf(`paymentAttempt.updated.${name}`)).toEqual({});
});

test("the events come from items and payments alone, the state from the subscription alone", async () => {
  for (const { name, deliveries } of await all()) {
    if (!isBilling(name)) continue;
    const wanted = name.startsWith("subscription.") ? ["contact"] : ["contact", "event"];
    expect([name, deliveries.filter(({ action }) => !wanted.includes(action))]).toEqual([name, []]);
    if (!name.startsWith("subscriptionItem.")) continue;
    expect([name, deliveries.filter(({ action }) => action === "contact")]).toEqual([name, []]);
  }
});

describe("the state on the contact", () => {
  const paid = { plan: "Pro", subscriptionStatus: "active", cancelAtPeriodEnd: false };

  test.each([
    ["subscription.active", { ...paid, currentPeriodEnd: "2025-11-13T15:00:00.000Z" }],
    ["subscription.active.trial", { ...paid, subscriptionStatus: "trialing", trialEndsAt: "2025-10-28T15:00:00.000Z" }],
    ["subscription.pastDue", { ...paid, subscriptionStatus: "past_due" }],
    ["subscription.updated.canceled", { ...paid, cancelAtPeriodEnd: true }],
    ["subscription.updated.downgrade", paid],
    ["subscription.updated.ended", { plan: "Free", subscriptionStatus: null, currentPeriodEnd: null }],
  ])("%s", async (name, state) => {
    expect(await propertiesOf(name)).toMatchObject(state);
  });

  test("of two paid items the active one counts, in any order", async () => {
    const withTwo = (status: string) => (body: Body) => {
      const [item] = body.data.items;
      body.data.items = [{ ...item, status, plan: { ...item.plan, name: "Old" } }, item];
    };
    for (const status of ["canceled", "past_due", "ended", "upcoming"]) {
      const { deliveries } = await planFor("subscription.active", withTwo(status));
      expect(deliveries).toMatchObject([{ properties: { plan: "Pro", subscriptionStatus: "active" } }]);
    }
  });
});

test("the free default plan, another plan taken at once, and webhooks without rules make no delivery", async () => {
  for (const name of [
    "subscription.created.free",
    "subscriptionItem.active.free",
    "subscriptionItem.ended.free",
    "subscriptionItem.ended.replaced",
    "subscriptionItem.upcoming.free",
    "subscriptionItem.updated.renewed",
    "paymentAttempt.created",
  ])
    expect([name, (await planFor(name)).deliveries]).toEqual([name, []]);
});

test("an organization that pays makes no delivery, unless the webhook has its address", async () => {
  const organizations = names.filter((name) => isBilling(name) && /organization$|without-payer/.test(name));
  expect(organizations).toHaveLength(5);
  for (const name of organizations) expect([name, (await planFor(name)).deliveries]).toEqual([name, []]);
  expect((await planFor("subscription.updated.organization-email")).deliveries).toMatchObject([
    { contact: { email: "billing@engines.example" }, properties: { plan: "Team" } },
  ]);
});

test("billing links no one: the payer's address may be unverified", async () => {
  for (const { name, links } of await all()) if (isBilling(name)) expect([name, links]).toEqual([name, []]);
});

test("a webhook without rules names the one that has them", async () => {
  const hint = async (name: string) => (await planFor(name)).outcomes;
  for (const [name, type] of [
    ["subscriptionItem.updated.renewed", "subscription.updated"],
    ["subscriptionItem.upcoming.free", "subscription.updated"],
    ["paymentAttempt.created", "paymentAttempt.updated"],
  ] as const)
    expect(JSON.stringify(await hint(name))).toContain(type);
});
