import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/revenuecat.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { all, contactsOf, event, eventNames, names, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "EXPIRATION"],
    ["cancelScheduled", "CANCELLATION"],
    ["reactivated", "UNCANCELLATION"],
    ["paymentFailed", "BILLING_ISSUE"],
    ["subscriptionPaused", "EXPIRATION.paused"],
    ["subscriptionCanceled", "EXPIRATION.billing-error"],
    ["invoiceFinalized", "INVOICE_ISSUANCE"],
    ["planChanged", "PRODUCT_CHANGE.google"],
    ["cancelScheduled", "CANCELLATION.price-increase"],
    ["refunded", "CANCELLATION.refund"],
  ],
  noEvent: [
    "INITIAL_PURCHASE.anonymous-email",
    "CANCELLATION.billing-error",
    "INITIAL_PURCHASE.anonymous",
    "INVOICE_ISSUANCE.anonymous",
    "INVOICE_ISSUANCE.free",
    "RENEWAL.free-offer",
  ],
  started: ["INITIAL_PURCHASE"],
  checkout: false,
  free: "INITIAL_PURCHASE.trial",
  testData: ["INITIAL_PURCHASE.sandbox", "TEST", "VIRTUAL_CURRENCY_TRANSACTION.sandbox"],
  userId: true,
});

test("amounts are in the currency that the person paid in", async () => {
  expect(await event("INITIAL_PURCHASE.yen")).toMatchObject({ amount: "¥1,200", amountValue: 1200, currency: "JPY" });
  expect(await event("NON_RENEWING_PURCHASE")).toMatchObject({ amount: "€4.99", amountValue: 4.99 });
  expect(await event("CANCELLATION.refund")).toMatchObject({ name: "refunded", amountValue: 9.99 });
});

test("events become the state of the subscription", async () => {
  const state = async (name: string) => (await propertiesOf(name)).subscriptionStatus;
  const names = ["INITIAL_PURCHASE.trial", "RENEWAL", "BILLING_ISSUE", "EXPIRATION", "UNCANCELLATION"];
  expect(await Promise.all(names.map(state))).toEqual(["trialing", "active", "past_due", "canceled", "active"]);
  expect(await propertiesOf("CANCELLATION")).toMatchObject({ cancelAtPeriodEnd: true });
  expect(await propertiesOf("TRANSFER")).toMatchObject({ plan: null, subscriptionStatus: null });
});

test("RevenueCat's own ids are not user ids, and an address from the app is neither used nor linked", async () => {
  for (const name of names) {
    const { deliveries, links } = await planFor(name);
    expect(links).toEqual([]);
    for (const { contact } of deliveries) expect(contact.userId ?? "").not.toContain("$RCAnonymousID");
  }
  // The app on the person's device sets `$email`: it may be any address.
  for (const name of names) for (const { email } of await contactsOf(name)) expect(email, name).toBeUndefined();
  expect(await contactsOf("INITIAL_PURCHASE.anonymous-email")).toEqual([]);
  expect(await contactsOf("RENEWAL")).toContainEqual({ userId: "42" });
  expect(await contactsOf("TRANSFER.from-anonymous")).toEqual([{ userId: "42" }]);
});

test("a purchase before the sign-in reaches the user id among the aliases", async () => {
  expect(await contactsOf("INITIAL_PURCHASE.alias")).toEqual([{ userId: "usr_1042" }, { userId: "usr_1042" }]);
  expect(await contactsOf("RENEWAL.original-user")).toEqual([{ userId: "usr_1042" }, { userId: "usr_1042" }]);
  expect(await contactsOf("REFUND_REVERSED.anonymous")).toEqual([]);
});

test("a pause that begins is no cancellation", async () => {
  expect(await propertiesOf("EXPIRATION.paused")).toMatchObject({ subscriptionStatus: "paused" });
});

test("the first payment after a trial converts it", async () => {
  expect(await eventNames("RENEWAL.trial-converted")).toEqual(["subscriptionRenewed", "trialConverted"]);
  expect(await eventNames("RENEWAL")).toEqual(["subscriptionRenewed"]);
});

test("a free renewal writes the state and no purchase", async () => {
  const properties = await propertiesOf("RENEWAL.free-offer");
  expect(properties).toMatchObject({ subscriptionStatus: "active" });
  expect(properties).not.toHaveProperty("lastPurchaseAt");
});

test("an unknown price is no amount, and no purchase of 0", async () => {
  for (const name of ["RENEWAL.unknown-price", "CANCELLATION.refund-unknown-price"]) {
    const made = await event(name);
    expect(made).toHaveProperty("name");
    for (const key of ["amount", "amountValue", "currency"]) expect(made, name).not.toHaveProperty(key);
  }
  expect(await propertiesOf("RENEWAL.unknown-price")).not.toHaveProperty("lastPurchaseAmount");
});

test("an unknown currency: the price in dollars; dinars have thousandths", async () => {
  expect(await event("INITIAL_PURCHASE.unknown-currency")).toMatchObject({ amount: "$10.21", currency: "USD" });
  expect((await event("INITIAL_PURCHASE.kwd"))?.amountValue).toBe(3.49);
});

test.each(["EXPERIMENT_ENROLLMENT", "SUBSCRIBER_ALIAS", "TEST", "VIRTUAL_CURRENCY_TRANSACTION"])(
  "%s is accepted and makes no delivery",
  async (name) => {
    const { deliveries, outcomes } = await planFor(name);
    expect([deliveries, outcomes]).toEqual([[], []]);
  },
);

test("for a temporary grant, `why` names the purchase that follows", async () => {
  const { deliveries, outcomes } = await planFor("TEMPORARY_ENTITLEMENT_GRANT");
  expect(deliveries).toEqual([]);
  expect(outcomes).toMatchObject([{ outcome: "not matched", message: expect.stringContaining("INITIAL_PURCHASE") }]);
});

test("no event has a product's id as its name; the name is the learned one", async () => {
  for (const { name, deliveries } of await all()) {
    for (const delivery of deliveries) {
      if (delivery.action !== "event") continue;
      expect(delivery.eventProperties, name).not.toHaveProperty("planName");
      if ("plan" in delivery.eventProperties) {
        expect(delivery.names?.planName, name).toBe(`revenuecat:${delivery.eventProperties.plan}`);
      }
    }
  }
  expect((await planFor("VIRTUAL_CURRENCY_TRANSACTION")).names).toEqual([
    { id: "revenuecat:coins_500", name: "500 coins" },
  ]);
});

test("purchases that move between several ids reach your user ids", async () => {
  expect(await contactsOf("TRANSFER.several")).toEqual([{ userId: "41" }, { userId: "42" }]);
});
