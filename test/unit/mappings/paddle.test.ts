import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/paddle.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription.canceled"],
    ["pastDue", "subscription.past_due"],
    ["cancelScheduled", "subscription.updated.cancel-scheduled"],
    ["pauseScheduled", "subscription.updated.pause-scheduled"],
    ["trialConverted", "subscription.activated.after-trial"],
    ["invoicePaid", "transaction.completed.invoice"],
    ["invoiceOverdue", "transaction.past_due.invoice"],
    ["disputeClosed", "adjustment.created.chargeback-reverse"],
    ["paymentFailed", "transaction.payment_failed"],
    ["refunded", "adjustment.updated.refund-approved"],
  ],
  noEvent: [
    "transaction.payment_failed.checkout",
    "transaction.completed.prorated",
    "transaction.completed.renewal-free",
    "transaction.past_due",
    "subscription.activated",
    "subscription.activated.resumed",
    "subscription.updated.cancel-withdrawn",
    "subscription.updated.canceled",
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
  testData: ["subscription.canceled.simulated"],
});

test.each([null, undefined])("a subscription whose items are %s says so", async (items) => {
  const { outcomes } = await planFor("subscription.updated.price", (body) => {
    body.data.items = items;
  });
  const failed = outcomes.filter(({ outcome }) => outcome === "failed").map(({ message }) => message);
  expect(failed.length).toBeGreaterThan(0);
  const kind = items === null ? "null" : "absent";
  for (const message of failed) expect(message).toContain(`data.items is ${kind}: Cannot read properties of ${items}`);
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

test("a withdrawn cancellation clears the mark of the contact", async () => {
  expect(await propertiesOf("subscription.updated.cancel-scheduled")).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await propertiesOf("subscription.updated.cancel-withdrawn")).toMatchObject({ cancelAtPeriodEnd: false });
});

test("a scheduled cancellation names the end; a scheduled pause also its own end", async () => {
  expect(await event("subscription.updated.cancel-scheduled")).toMatchObject({ endsAt: "2025-12-12T12:00:00.316Z" });
  expect(await event("subscription.updated.pause-scheduled")).toMatchObject({
    pausesAt: "2025-12-12T12:00:00.316Z",
    resumesAt: "2026-02-12T12:00:00.316Z",
  });
});

test("a renewal that failed first is also recovered", async () => {
  expect(await eventNames("transaction.completed.recovered")).toEqual(["subscriptionRenewed", "recovered"]);
  expect(await eventNames("transaction.completed.renewal")).toEqual(["subscriptionRenewed"]);
});

test("a webhook of 2023 has no name of the plan: the id is in `plan`, never in `planName`", async () => {
  const late = await event("subscription.past_due.2023");
  expect(late).toMatchObject({ name: "pastDue", plan: expect.stringMatching(/^pri_/) });
  expect(late).not.toHaveProperty("planName");
  expect(await event("subscription.created.yearly-with-addon")).toMatchObject({ plan: "Team", planName: "Team" });
});

test("the plan is the dearest recurring item, in any order of the items", async () => {
  for (const name of ["subscription.created.plan-last", "subscription.created.yearly-with-addon"]) {
    const plans = [0, 1, 2].map((turns) =>
      planFor(name, ({ data }) => {
        for (let turn = 0; turn < turns; turn++) data.items.push(data.items.shift());
      }),
    );
    const [first, ...others] = (await Promise.all(plans)).map(({ deliveries }) => deliveries);
    for (const deliveries of others) expect(deliveries).toEqual(first);
  }
  expect(await propertiesOf("subscription.created.plan-last")).toMatchObject({
    plan: "Pro",
    trialEndsAt: "2025-12-12T12:00:00.316Z",
  });
});

test("of Paddle items of one price the plan is the earlier one, and an inactive item is none", async () => {
  const change = (more: object) => (body: Body) => {
    const [pro] = body.data.items;
    const other = { ...structuredClone(pro), ...more };
    other.product = { id: "pro_other", name: "Max" };
    other.price.product_id = "pro_other";
    body.data.items.unshift(other);
  };
  const planOf = async (more: object) => (await event("subscription.created", change(more)))?.plan;
  expect(await planOf({ created_at: "2025-11-13T12:00:00Z" })).toBe("Pro");
  expect(await planOf({ created_at: "2025-11-11T12:00:00Z" })).toBe("Max");
  expect(await planOf({ created_at: "2025-11-11T12:00:00Z", status: "inactive" })).toBe("Pro");
});

test("a refund of 2023 does not say whether it is full", async () => {
  expect(await event("adjustment.created.refund-approved.2023")).not.toHaveProperty("full");
});

test("a transaction without details, payments and origin makes no rule fail", async () => {
  const { deliveries, outcomes } = await planFor("transaction.completed.no-details");
  expect(deliveries).toEqual([]);
  expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
});

test("an invoice is a purchase on the day it is paid", async () => {
  const { webhook } = await planFor("transaction.completed.invoice");
  expect(await propertiesOf("transaction.completed.invoice")).toMatchObject({
    lastPurchaseAt: new Date(webhook.occurredAt).toISOString(),
    lastPurchaseAmount: 1200,
  });
});
