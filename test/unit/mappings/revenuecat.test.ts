import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/revenuecat.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { contactsOf, event, names, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "EXPIRATION"],
    ["cancelScheduled", "CANCELLATION"],
    ["reactivated", "UNCANCELLATION"],
    ["paymentFailed", "BILLING_ISSUE"],
    ["refunded", "CANCELLATION.refund"],
  ],
  noEvent: ["INITIAL_PURCHASE.anonymous-email", "CANCELLATION.billing-error", "INITIAL_PURCHASE.anonymous"],
  started: ["INITIAL_PURCHASE"],
  checkout: false,
  free: "INITIAL_PURCHASE.trial",
  testData: ["INITIAL_PURCHASE.sandbox"],
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
    const { calls, links } = await planFor(name);
    expect(links).toEqual([]);
    for (const { contact } of calls) expect(contact.userId ?? "").not.toContain("$RCAnonymousID");
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
