import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/chargebee.ts";
import { recorded } from "./recorded.ts";

const { all, contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

test.each([
  ["subscriptionCanceled", "subscription_cancelled"],
  ["cancelScheduled", "subscription_cancellation_scheduled"],
  ["reactivated", "subscription_scheduled_cancellation_removed"],
  ["trialEnding", "subscription_trial_end_reminder"],
  ["paymentFailed", "payment_failed"],
  ["refunded", "payment_refunded"],
  ["cardExpiring", "card_expiry_reminder"],
  ["customerDeleted", "customer_deleted"],
])("makes the event %s on %s", async (name, fixture) => {
  expect(await eventNames(fixture)).toEqual([name]);
});

test.each(["subscription_changed"])("makes no event on %s", async (name) => {
  expect(await eventNames(name)).toEqual([]);
});

test("starts a new subscription once", async () => {
  const webhooks = ["customer_created", "subscription_created", "payment_succeeded"];
  const events = await eventNames(...webhooks);
  const count = (name: string) => events.filter((each) => each === name).length;
  expect(count("subscriptionStarted")).toBe(1);
  // There is no webhook for a checkout.
  expect(count("checkoutCompleted")).toBe(0);
  for (const other of ["subscriptionRenewed", "recovered", "upgraded", "downgraded", "reactivated", "planChanged"]) {
    expect(count(other), other).toBe(0);
  }
});

test("writes the state of a subscription", async () => {
  expect(await propertiesOf("subscription_cancellation_scheduled")).toMatchObject({
    plan: expect.any(String),
    subscriptionStatus: expect.any(String),
    currentPeriodEnd: expect.stringMatching(/^2025-12-12T12:00:00\.\d{3}Z$/),
    cancelAtPeriodEnd: true,
  });
});

test("yen have no hundredths", async () => {
  expect(await event("payment_succeeded.yen")).toMatchObject({ amount: "￥4,900", amountValue: 4900 });
  expect(await propertiesOf("payment_succeeded.yen")).toMatchObject({ lastPurchaseAmount: 4900 });
});

test("an update of a customer without an address makes no call and no link", async () => {
  const { calls, links } = await planFor("customer_changed.no-email");
  expect([calls, links]).toEqual([[], []]);
});

test("a deleted customer makes no link", async () => {
  expect(await linksOf("customer_deleted")).toEqual([]);
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

test.each([
  [["subscription_created", "subscription_changed", "subscription_cancellation_scheduled", "subscription_cancelled"]],
  [["customer_created", "customer_changed", "customer_deleted"]],
])("ranks the later state higher: %s", (types) => {
  const { handler } = ruleSet;
  const ranks = types.map((type) => handler.rank?.(type) ?? 0);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks).size).toBe(ranks.length);
  expect(handler.rank?.("something.else")).toBe(0);
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
