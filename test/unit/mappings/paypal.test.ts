import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/paypal.ts";
import { describeBilling } from "./billing.ts";
import { recorded } from "./recorded.ts";

const { contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);
const SUBSCRIPTION = "BILLING.SUBSCRIPTION";

describeBilling(ruleSet, {
  events: [
    ["subscriptionStarted", `${SUBSCRIPTION}.ACTIVATED`],
    ["subscriptionResumed", `${SUBSCRIPTION}.ACTIVATED.resumed`],
    ["subscriptionResumed", `${SUBSCRIPTION}.ACTIVATED.paid-cycles`],
    ["subscriptionPaused", `${SUBSCRIPTION}.SUSPENDED`],
    ["subscriptionCanceled", `${SUBSCRIPTION}.CANCELLED`],
    ["subscriptionCanceled", `${SUBSCRIPTION}.EXPIRED`],
    ["paymentFailed", `${SUBSCRIPTION}.PAYMENT.FAILED`],
    ["paymentFailed", "PAYMENT.CAPTURE.DENIED"],
    ["invoicePaid", "PAYMENT.SALE.COMPLETED"],
    ["checkoutCompleted", "PAYMENT.CAPTURE.COMPLETED"],
    ["refunded", "PAYMENT.CAPTURE.REFUNDED"],
    ["refunded", "PAYMENT.SALE.REFUNDED"],
    ["disputeCreated", "CUSTOMER.DISPUTE.CREATED"],
    ["disputeClosed", "CUSTOMER.DISPUTE.RESOLVED"],
  ],
  noEvent: [
    `${SUBSCRIPTION}.CREATED`,
    `${SUBSCRIPTION}.UPDATED`,
    "PAYMENT.SALE.COMPLETED.free",
    "PAYMENT.CAPTURE.PENDING",
    "CHECKOUT.ORDER.APPROVED",
    "CHECKOUT.ORDER.COMPLETED",
    "CUSTOMER.DISPUTE.UPDATED",
  ],
  started: [`${SUBSCRIPTION}.CREATED`, `${SUBSCRIPTION}.ACTIVATED`, "PAYMENT.SALE.COMPLETED"],
  checkout: false,
  yen: ["PAYMENT.SALE.COMPLETED.yen", "¥4,900"],
  free: "PAYMENT.SALE.COMPLETED.free",
  customer: [`${SUBSCRIPTION}.ACTIVATED`, "paypal:I-BW452GLLEP1G"],
  testData: [`${SUBSCRIPTION}.ACTIVATED.sandbox`],
  order: [
    [`${SUBSCRIPTION}.CREATED`, `${SUBSCRIPTION}.ACTIVATED`, `${SUBSCRIPTION}.SUSPENDED`, `${SUBSCRIPTION}.CANCELLED`],
  ],
});

test("an order links its captures: a refund and a dispute of a capture find the buyer", async () => {
  const links = await linksOf("CHECKOUT.ORDER.COMPLETED");
  expect(links).toMatchObject([
    { ref: "paypal:5O190127TN364715T", email: "ada@example.com" },
    { ref: "paypal:3C679366HH908993F", email: "ada@example.com" },
  ]);
  expect(await linksOf("PAYMENT.CAPTURE.COMPLETED")).toMatchObject([{ ref: links[1]?.ref, to: links[0]?.ref }]);
  expect(await contactsOf("PAYMENT.CAPTURE.COMPLETED")).toEqual(Array(2).fill({ ref: links[0]?.ref }));
  for (const name of ["PAYMENT.CAPTURE.REFUNDED", "CUSTOMER.DISPUTE.CREATED", "CUSTOMER.DISPUTE.RESOLVED"])
    expect(await contactsOf(name)).toEqual([{ ref: links[1]?.ref }]);
});

test("a payment of a subscription has its id alone, and a subscription without an address too", async () => {
  expect(await contactsOf("PAYMENT.SALE.COMPLETED")).toEqual(Array(2).fill({ ref: "paypal:I-BW452GLLEP1G" }));
  for (const contact of await contactsOf(`${SUBSCRIPTION}.ACTIVATED.no-email`))
    expect(contact).toEqual({ ref: "paypal:I-NOEMAIL00001" });
});

test("a refund of a subscription's payment finds the subscriber by that payment, whatever the sign of its amount", async () => {
  const [link] = await linksOf("PAYMENT.SALE.COMPLETED");
  expect(link).toMatchObject({ ref: "paypal:80021663DE681814L", to: "paypal:I-BW452GLLEP1G" });
  expect(await contactsOf("PAYMENT.SALE.REFUNDED")).toEqual([{ ref: link?.ref }]);
  expect(await event("PAYMENT.SALE.REFUNDED")).toMatchObject({
    amount: "$29.00",
    amountValue: 29,
    totalRefundedValue: 29,
  });
  expect(await event("PAYMENT.SALE.REFUNDED.without-total")).toMatchObject({ amountValue: 10 });
});

test("what names no person makes no delivery", async () => {
  const names = ["PAYMENT.SALE.COMPLETED.no-subscription", "PAYMENT.CAPTURE.COMPLETED.no-order"];
  for (const name of [...names, "PAYMENT.CAPTURE.REFUNDED.no-link", "CUSTOMER.DISPUTE.CREATED.no-transaction"])
    expect([name, (await planFor(name)).deliveries]).toEqual([name, []]);
});

test("a plan has the name of its own webhook", async () => {
  expect((await planFor("BILLING.PLAN.UPDATED")).names).toEqual([
    { id: "paypal:P-5ML4271244454362WXNWU5NQ", name: "Pro" },
  ]);
  const { deliveries } = await planFor(`${SUBSCRIPTION}.UPDATED`);
  expect(deliveries[0]?.names).toEqual({ plan: "paypal:P-2TEAM71244454362WXNWU5NQ" });
});

test("a failed payment has an amount where PayPal gives one", async () => {
  expect(await event(`${SUBSCRIPTION}.PAYMENT.FAILED`)).toMatchObject({ amountValue: 29, attempt: 1 });
  expect(await event(`${SUBSCRIPTION}.PAYMENT.FAILED.no-amount`)).not.toHaveProperty("amount");
  expect(await propertiesOf(`${SUBSCRIPTION}.PAYMENT.FAILED`)).toMatchObject({ subscriptionStatus: "active" });
  expect(await eventNames("PAYMENT.CAPTURE.DENIED.no-order")).toEqual([]);
});
