import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/square.ts";
import { describeBilling } from "./billing.ts";
import { type Body, recorded } from "./recorded.ts";

const { contactsOf, event, linksOf, planFor, propertiesOf } = recorded(ruleSet);
const CUSTOMER = "square:JDKYHBWT1D4F8MFH63DBMEN8Y4";
const PAYMENT = "square:hYy9pRFVxpDsO1FB05SunFWUe9JZY";

describeBilling(ruleSet, {
  events: [
    ["paymentSucceeded", "payment.updated"],
    ["paymentFailed", "payment.updated.failed"],
    ["invoicePaid", "invoice.payment_made"],
    ["paymentFailed", "invoice.scheduled_charge_failed"],
    ["refunded", "refund.updated"],
    ["refundFailed", "refund.updated.rejected"],
    ["subscriptionStarted", "subscription.created"],
    ["subscriptionCanceled", "subscription.updated.canceled"],
    ["subscriptionCanceled", "subscription.updated.deactivated"],
    ["customerDeleted", "customer.deleted"],
    ["disputeCreated", "dispute.created"],
    ["disputeClosed", "dispute.state.updated.lost"],
  ],
  noEvent: [
    "payment.created",
    "payment.created.cash",
    "payment.updated.canceled",
    "payment.updated.refunded",
    "refund.created",
    "subscription.created.pending",
    "customer.deleted.merged",
    "dispute.state.updated",
  ],
  started: ["subscription.created", "invoice.payment_made"],
  checkout: false,
  yen: ["payment.updated.yen", "¥4,900"],
  customer: ["customer.created", CUSTOMER],
  noAddress: "customer.updated.no-email",
  deleted: "customer.deleted",
  order: [["customer.created", "customer.updated", "customer.deleted"]],
});

test("webhooks of the sandbox are test data", async () => {
  expect((await planFor("customer.created.sandbox")).webhook.test).toBe(true);
  expect((await planFor("customer.created")).webhook.test).toBe(false);
});

test("a completed payment is one webhook, however often Square tells it: the fee and the receipt come later", async () => {
  const idOf = async (name: string, change?: (body: Body) => void) => (await planFor(name, change)).webhook.id;
  const again = (body: Body) => Object.assign(body, { event_id: "another" });
  const withFee = (body: Body) => {
    again(body);
    body.data.object.payment.processing_fee = [{ type: "INITIAL", amount_money: { amount: 114, currency: "USD" } }];
  };
  expect(await idOf("payment.updated", withFee)).toBe(await idOf("payment.updated"));
  expect(await idOf("refund.updated", again)).toBe(await idOf("refund.updated"));
  expect(await idOf("payment.created", again)).not.toBe(await idOf("payment.created"));
  expect(await idOf("payment.created")).not.toBe(await idOf("payment.updated"));
  expect(await idOf("refund.created")).not.toBe(await idOf("refund.updated"));
  expect(await idOf("subscription.updated")).not.toBe(await idOf("subscription.updated.paused"));
});

test("a payment leads to its customer, and a refund and a dispute find the payer by it", async () => {
  const about = { to: CUSTOMER, strength: "purchase" };
  expect(await linksOf("payment.updated")).toMatchObject([{ ref: PAYMENT, email: "ada@example.com", ...about }]);
  expect(await linksOf("payment.created.cash")).toEqual([]);
  for (const name of ["refund.updated", "dispute.created", "dispute.state.updated.lost"])
    expect(await contactsOf(name)).toEqual([{ ref: PAYMENT }]);
  for (const contact of await contactsOf("payment.updated.customer-only")) expect(contact).toEqual({ ref: CUSTOMER });
});

test("a sale at the till without a buyer, and an invoice without a recipient, make nothing", async () => {
  for (const name of ["payment.created.cash", "invoice.payment_made.no-recipient", "refund.created.unlinked"])
    expect([name, (await planFor(name)).deliveries]).toEqual([name, []]);
});

test("an invoice's amount is the sum of its payments", async () => {
  expect(await event("invoice.payment_made.two-requests")).toMatchObject({ amount: "$58.00", amountValue: 58 });
  expect(await event("invoice.scheduled_charge_failed")).toMatchObject({ amount: "$29.00" });
});

test("a date of cancellation is a cancellation at the end of the period, while the subscription runs", async () => {
  const end = { cancelAtPeriodEnd: true, subscriptionStatus: "active", currentPeriodEnd: "2025-12-12T00:00:00.000Z" };
  expect(await propertiesOf("subscription.updated.cancel-scheduled")).toMatchObject(end);
  expect(await propertiesOf("subscription.updated")).toMatchObject({ cancelAtPeriodEnd: false });
  expect(await propertiesOf("subscription.updated.canceled")).toMatchObject({ cancelAtPeriodEnd: false });
});
