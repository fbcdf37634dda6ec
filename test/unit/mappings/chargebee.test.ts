import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/chargebee.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { all, contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "subscription_cancelled"],
    ["cancelScheduled", "subscription_cancellation_scheduled"],
    ["reactivated", "subscription_scheduled_cancellation_removed"],
    ["trialEnding", "subscription_trial_end_reminder"],
    ["paymentFailed", "payment_failed"],
    ["refunded", "payment_refunded"],
    ["cardExpiring", "card_expiry_reminder"],
    ["trialConverted", "subscription_activated"],
    ["pauseScheduled", "subscription_pause_scheduled"],
    ["invoiceFinalized", "invoice_generated"],
    ["invoiceOverdue", "payment_due_reminder"],
    ["invoiceVoided", "invoice_updated.voided"],
    ["paymentFailed", "payment_failed.no-transaction"],
    ["paymentSourceAdded", "payment_source_added"],
    ["paymentSourceExpiring", "payment_source_expiring"],
    ["paymentSourceExpired", "payment_source_expired"],
    ["paymentSourceDeleted", "payment_source_deleted"],
    ["customerDeleted", "customer_deleted"],
  ],
  noEvent: [
    "subscription_changed",
    "subscription_activated.non-renewing",
    "subscription_renewed.unpaid",
    "subscription_renewed.free",
    "subscription_trial_extended",
    "invoice_generated.paid",
    "invoice_generated.pending",
    "invoice_updated",
    "payment_due_reminder.before",
    "payment_source_deleted.with-customer",
  ],
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

test("an invoice alone reaches its customer by the id", async () => {
  expect(await contactsOf("invoice_generated")).toEqual([{ ref: "chargebee:163BJsl0mvj8P9" }]);
  expect(await event("invoice_generated")).toMatchObject({ number: "1051", dueAt: "2025-12-12T12:00:00.000Z" });
});

test("an invoice without an amount due asks for its total; dinars have thousandths", async () => {
  expect(await event("invoice_generated.kwd")).toMatchObject({ amountValue: 12.5, currency: "KWD" });
});

test("a payment that failed without a payment method is that of the invoice, with the next attempt", async () => {
  expect(await event("payment_failed.no-transaction")).toMatchObject({
    amountValue: 34,
    attempt: 2,
    nextAttemptAt: "2025-12-15T12:00:00.000Z",
  });
});

test("a renewal has the invoice's amount, and its payment is the purchase", async () => {
  expect(await event("subscription_renewed")).toMatchObject({ amountValue: 34, currency: "USD" });
  expect(await propertiesOf("payment_succeeded")).toHaveProperty("lastPurchaseAmount");
});

test("a bank account is described as a card is", async () => {
  expect(await event("payment_source_added.direct-debit")).toMatchObject({
    kind: "direct_debit",
    brand: "Deutsche Bank",
    last4: "6819",
  });
});

test("the plan's name is that on the invoice, else the learned one, never an id", async () => {
  expect(await event("subscription_created")).toMatchObject({ plan: "pro-USD-Monthly", planName: "Pro" });
  const canceled = await planFor("subscription_cancelled.plans");
  expect(canceled.deliveries[1]).toMatchObject({
    eventProperties: { plan: "Azz5aBTxKr3Qx1" },
    names: { planName: "chargebee:Azz5aBTxKr3Qx1" },
  });
  expect(await event("subscription_cancelled.plans")).not.toHaveProperty("planName");
  expect(await event("subscription_created.addon-only")).not.toHaveProperty("plan");
});

test("the plan's name is not the text of a proration, in any order of the lines", async () => {
  for (const prorated of ["unshift", "push"] as const) {
    const name = await event("subscription_created", ({ content: { invoice } }) => {
      const [line] = invoice.line_items;
      invoice.line_items[prorated]({ ...line, description: `${line.description} - Prorated Charges` });
    });
    expect(name).toMatchObject({ planName: "Pro" });
  }
});

test("prices and plans tell the names that customers see", async () => {
  const told = Object.fromEntries((await all()).flatMap(({ name, names = [] }) => names.map((it) => [name, it.name])));
  expect(told).toEqual({
    item_price_created: "Pro USD Monthly",
    item_price_updated: "Pro, monthly",
    plan_updated: "Professional",
  });
});

test("nothing that happens to a deleted customer links them", async () => {
  expect(await linksOf("payment_source_deleted.with-customer")).toEqual([]);
});
