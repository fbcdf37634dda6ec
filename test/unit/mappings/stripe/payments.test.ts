import { expect, test } from "vitest";
import ruleSet from "../../../../src/mappings/stripe.ts";
import { type Body, recorded } from "../recorded.ts";

const { contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

test.each([
  "payment_intent.succeeded.checkout",
  "payment_intent.succeeded.invoice",
  "payment_intent.succeeded.invoice.2024",
  "payment_intent.payment_failed.checkout",
  "payment_intent.processing.invoice",
  "charge.succeeded.invoice.2017",
  "charge.failed.invoice.2017",
])("the payment of a checkout or an invoice makes no delivery: %s", async (name) => {
  expect((await planFor(name)).deliveries).toEqual([]);
});

test("a checkout without an address and without a customer makes no delivery and no rule fails", async () => {
  for (const type of ["completed", "async_payment_failed", "expired"]) {
    const { deliveries, outcomes } = await planFor(`checkout.session.${type}.anonymous`);
    expect([deliveries, outcomes.map(({ outcome }) => outcome)], type).toEqual([[], outcomes.map(() => "not matched")]);
  }
});

test("a payment with an order number of the team is a payment of its own code", async () => {
  for (const order of ["order-1017", "inv_1017", null]) {
    const change = (body: Body) => Object.assign(body.data.object, { payment_details: { order_reference: order } });
    expect((await event("payment_intent.succeeded.checkout", change))?.name, String(order)).toBe("paymentSucceeded");
  }
});

test("a payment by own code is a purchase of what arrived", async () => {
  expect(await propertiesOf("payment_intent.succeeded.partial-capture")).toEqual({
    lastPurchaseAt: "2025-12-06T00:00:00.000Z",
    lastPurchaseAmount: 30,
  });
  expect(await event("payment_intent.succeeded.partial-capture")).toMatchObject({ amount: "$30.00", amountValue: 30 });
  expect(await propertiesOf("charge.succeeded.2017")).toMatchObject({ lastPurchaseAmount: 20 });
  expect(Object.keys(await propertiesOf("payment_intent.payment_failed"))).toEqual([]);
});

test("a charge is a purchase once it is captured; before, no money has moved", async () => {
  expect(await eventNames("charge.succeeded.uncaptured.2017", "charge.refunded.uncaptured")).toEqual([]);
  expect(await propertiesOf("charge.succeeded.uncaptured.2017")).toEqual({});
  expect(await propertiesOf("charge.captured.2017")).toMatchObject({ lastPurchaseAmount: 20 });
  const inPart = (body: Body) => Object.assign(body.data.object, { amount_captured: 1500 });
  expect(await event("charge.captured.2017", inPart)).toMatchObject({ name: "paymentSucceeded", amountValue: 15 });
  const ofIntent = (body: Body) => Object.assign(body.data.object, { payment_intent: "pi_1" });
  expect(await event("charge.captured.2017", ofIntent)).toBeUndefined();
});

test("an overdue or voided invoice is about the customer: its own address may be an old one", async () => {
  for (const name of ["invoice.overdue", "invoice.voided"]) {
    expect(await contactsOf(name), name).toEqual([{ ref: "stripe:cus_TQ7rX2vLk9WbNd" }]);
    const link = { ref: "stripe:cus_TQ7rX2vLk9WbNd", email: "ada@example.com", strength: "document" };
    expect(await linksOf(name), name).toEqual([link]);
  }
});

test("the first invoice of a subscription that was never paid makes no event when it is voided", async () => {
  expect(await event("invoice.voided.first")).toBeUndefined();
  const byHand = (body: Body) => Object.assign(body.data.object, { collection_method: "send_invoice" });
  expect(await event("invoice.voided.first", byHand)).toMatchObject({ name: "invoiceVoided", amountValue: 29 });
});

test("an invoice of 0 makes no event when it is voided", async () => {
  const free = (body: Body) => Object.assign(body.data.object, { amount_due: 0, amount_remaining: 0 });
  expect(await event("invoice.voided", free)).toBeUndefined();
});

test("a quote without a currency has no amount", async () => {
  const unknown = (body: Body) => Object.assign(body.data.object, { currency: null });
  const number = "QT-7Q2KX9RM-0001-1";
  expect(await event("quote.accepted", unknown)).toEqual({ name: "quoteAccepted", number });
});

test("a receipt shows the currency that the customer saw; properties and events keep the team's", async () => {
  const { deliveries } = await planFor("checkout.session.completed.adaptive-pricing");
  expect(deliveries).toMatchObject([
    { properties: { lastPurchaseAmount: 49 } },
    { eventProperties: { amountValue: 49, currency: "usd" } },
    { dataVariables: { amount: "44,12\u00a0€" } },
  ]);
});

test("a receipt of several lines names the plan, in any order, and not larger usage or a larger fee", async () => {
  for (const [name, amount] of [
    ["invoice.paid.several-lines", "$54.30"],
    ["invoice.paid.overage", "$654.00"],
  ] as const) {
    for (const reversed of [false, true]) {
      const { deliveries } = await planFor(name, ({ data: { object } }) => {
        if (reversed) object.lines.data.reverse();
      });
      expect(deliveries.find(({ action }) => action === "transactional")).toMatchObject({
        dataVariables: { amount, description: "1 × Pro (at $29.00 / month)" },
      });
    }
  }
});

test("a receipt has an age: three days after its webhook happened", async () => {
  for (const name of ["checkout.session.completed.guest", "invoice.paid", "checkout.session.async_payment_succeeded"]) {
    const { deliveries, webhook } = await planFor(name);
    const mails = deliveries.filter((delivery) => delivery.action === "transactional");
    expect(mails, name).toMatchObject([{ urgent: false, notAfter: webhook.occurredAt + 3 * 86_400_000 }]);
  }
});

test("a dispute says whether it is an inquiry", async () => {
  expect(await event("charge.dispute.created.inquiry")).toMatchObject({ status: "warning_needs_response" });
  expect(await event("charge.dispute.created")).toMatchObject({ status: "needs_response" });
});

test.each([
  ["refund.created", "charge.refunded"],
  ["charge.refund.updated", "refund.updated"],
  ["invoice.payment_succeeded", "invoice.paid"],
  ["invoice_payment.paid", "invoice.paid"],
])("%s makes no delivery and names %s", async (name, other) => {
  const { deliveries, outcomes } = await planFor(name);
  expect(deliveries).toEqual([]);
  const message = `Stripe sends ${other} for the same change: enable ${other} at the endpoint.`;
  for (const one of outcomes) expect(one).toEqual({ rule: one.rule, outcome: "not matched", message });
  expect(outcomes.length).toBeGreaterThan(0);
});

test("a thin event makes one delivery, the fetch of its object, and is one webhook with its snapshot event", async () => {
  const { deliveries, outcomes, links, webhook } = await planFor("v1.customer.created");
  expect([outcomes, links]).toEqual([[], []]);
  expect(deliveries).toEqual([
    { rule: "fetched object", action: "fetch", contact: {}, object: "customer cus_TQ7rX2vLk9WbNd" },
  ]);
  expect(webhook.id).toBe("evt_17fHl7GrCBGkXG3WIVdEU1IE");
});

test("an event of API v2 makes no delivery, no failure and no link", async () => {
  for (const name of ["v2.core.account.updated", "v2.core.event_destination.ping"]) {
    const { deliveries, outcomes, links, webhook } = await planFor(name);
    expect([deliveries, outcomes, links], name).toEqual([[], [], []]);
    expect(webhook).toMatchObject({ type: name, occurredAt: Date.UTC(2025, 11, 6), test: false });
  }
});

test("a webhook of a connected account is about that account's customer", async () => {
  expect(await eventNames("checkout.session.completed.connect")).toEqual(["checkoutCompleted"]);
  expect((await planFor("customer.created.connect")).links).toEqual([
    { ref: "stripe:cus_TRc1ConnB7h3m8", email: "joan@example.com" },
  ]);
});
