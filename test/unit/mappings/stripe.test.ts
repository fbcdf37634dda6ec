import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/stripe.ts";
import { describeBilling } from "./billing.ts";
import { type Body, eventsOf, recorded } from "./recorded.ts";
import { planSample } from "./sample.ts";

const { contactsOf, event, linksOf, names, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["subscriptionCanceled", "customer.subscription.deleted"],
    ["cancelScheduled", "customer.subscription.updated"],
    ["reactivated", "customer.subscription.updated.reactivated"],
    ["pastDue", "customer.subscription.updated.past-due"],
    ["recovered", "customer.subscription.updated.recovered"],
    ["trialEnding", "customer.subscription.trial_will_end"],
    ["paymentFailed", "invoice.payment_failed"],
    ["refunded", "charge.refunded"],
    ["cardExpiring", "customer.source.expiring"],
    ["customerDeleted", "customer.deleted"],
    ["checkoutAbandoned", "checkout.session.expired"],
    ["subscriptionStarted", "customer.subscription.created.2016"],
    ["subscriptionRenewed", "invoice.paid"],
    ["invoicePaid", "invoice.paid.2017"],
    ["invoiceOverdue", "invoice.overdue"],
    ["invoiceVoided", "invoice.voided"],
    ["paymentSucceeded", "payment_intent.succeeded"],
    ["paymentAttemptFailed", "payment_intent.payment_failed"],
    ["paymentSucceeded", "charge.succeeded.2017"],
    ["refundFailed", "refund.failed"],
    ["refundArrived", "refund.updated.arrived"],
    ["creditNoteCreated", "credit_note.created"],
    ["earlyFraudWarning", "radar.early_fraud_warning.created"],
  ],
  noEvent: [
    "charge.dispute.created.anonymous",
    "charge.succeeded",
    "charge.failed",
    "charge.refund.updated",
    "checkout.session.completed.setup",
    "customer.subscription.created.incomplete",
    "invoice.paid.renewal-free",
    "invoice.payment_succeeded",
    "payment_intent.requires_action",
    "refund.updated",
    "checkout.session.expired.anonymous",
    "checkout.session.completed.unpaid",
    "invoice.payment_failed.first",
    "invoice.payment_action_required.first",
    "invoice.finalized.free",
    "invoice.upcoming.free",
  ],
  started: [
    "checkout.session.completed",
    "customer.created",
    "customer.subscription.created",
    "invoice.finalized",
    "invoice.paid.first",
  ],
  cancelScheduled: "customer.subscription.updated.cancel-scheduled.by-date",
  yen: ["checkout.session.completed.yen", "￥4,900"],
  free: "invoice.paid.free",
  customer: ["customer.updated", "stripe:cus_TQ7rX2vLk9WbNd"],
  noAddress: "customer.updated.no-email",
  deleted: "customer.deleted",
  order: [
    ["customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted"],
    ["customer.subscription.created", "customer.subscription.trial_will_end", "customer.subscription.paused"],
    ["customer.created", "customer.updated", "customer.deleted"],
  ],
});

test("a subscription makes one receipt; the receipt of a bank debit follows the payment", async () => {
  const actions = async (...some: string[]) =>
    (await Promise.all(some.map((name) => planFor(name)))).flatMap(({ deliveries }) =>
      deliveries.map(({ action }) => action),
    );
  const subscribed = await actions(
    "checkout.session.completed",
    "customer.created",
    "customer.subscription.created",
    "invoice.finalized",
    "invoice.paid.first",
  );
  expect(subscribed.filter((action) => action === "transactional")).toHaveLength(1);
  expect(await actions("checkout.session.completed.unpaid", "checkout.session.async_payment_succeeded")).toEqual([
    "contact",
    "event",
    "transactional",
  ]);
});

test("a renewal makes a receipt, is a purchase and makes an event; any other paid invoice makes no receipt", async () => {
  expect((await planFor("invoice.paid")).deliveries.map(({ action }) => action)).toEqual([
    "contact",
    "transactional",
    "event",
  ]);
  expect(await propertiesOf("invoice.paid")).toMatchObject({ lastPurchaseAmount: 29 });
  const manual = (body: Body) => Object.assign(body.data.object, { billing_reason: "manual" });
  expect((await planFor("invoice.paid", manual)).deliveries.map(({ action }) => action)).toEqual(["contact", "event"]);
});

test("a refund has its own amount and the total refunded so far", async () => {
  expect(await event("charge.refunded")).toMatchObject({ amount: "$29.00", amountValue: 29, full: true });
  expect(await event("charge.refunded.partial")).toMatchObject({ amount: "$5.00", amountValue: 5, full: false });
  expect(await event("charge.refunded.guest-yen")).toMatchObject({ amount: "¥4,900", amountValue: 4900 });
  expect(await event("charge.refunded.partial")).toMatchObject({ totalRefunded: "$15.00", totalRefundedValue: 15 });
  const withoutFormer = (body: Body) => Object.assign(body.data, { previous_attributes: {} });
  const refunded = await event("charge.refunded.partial", withoutFormer);
  expect(refunded).toMatchObject({ totalRefundedValue: 15 });
  expect(Object.keys(refunded ?? {})).not.toContain("amount");
});

test("amounts and dates are formatted in the customer's locale", async () => {
  expect((await event("checkout.session.async_payment_failed"))?.amount).toBe("29,00\u00a0€");
  const { deliveries } = await planFor("checkout.session.completed.yen");
  const [mail] = deliveries.flatMap((delivery) =>
    delivery.action === "transactional" ? [delivery.dataVariables] : [],
  );
  expect(mail).toMatchObject({ amount: "￥4,900", date: "2025年12月2日" });
  const nonsense = (body: Body) => Object.assign(body.data.object, { locale: "auto" });
  expect((await event("checkout.session.completed", nonsense))?.amount).toBe("$29.00");
});

const mailsOf = async (name: string, change?: (body: Body) => void) =>
  (await planFor(name, change)).deliveries.filter(({ action }) => action === "transactional");

test("a renewal's receipt describes the renewal, not an earlier change", async () => {
  for (const name of ["invoice.paid", "invoice.paid.proration", "invoice.paid.proration.old-api"]) {
    expect(await mailsOf(name), name).toMatchObject([
      { dataVariables: { description: "1 × Pro (at $29.00 / month)" } },
    ]);
  }
  const only = (body: Body) => body.data.object.lines.data.pop();
  expect(await mailsOf("invoice.paid.proration", only)).toMatchObject([
    { dataVariables: { description: "Remaining time on Team after 20 Nov 2025" } },
  ]);
});

test("an invoice page whose URL is too long is left out of every event", async () => {
  const long = (body: Body) =>
    Object.assign(body.data.object, { hosted_invoice_url: `https://x.test/${"x".repeat(600)}` });
  for (const name of names.filter((name) => name.startsWith("invoice."))) {
    for (const properties of eventsOf((await planFor(name, long)).deliveries))
      expect(Object.keys(properties)).not.toContain("invoiceUrl");
  }
});

test("a guest's charge uses the address, any other its payment, which is linked to the customer", async () => {
  expect(await contactsOf("charge.refunded.guest-yen")).toEqual([{ email: "grace@example.com" }]);
  expect(await contactsOf("charge.refunded")).toEqual([{ ref: "stripe:pi_3SeVRAB7h3m8QwZx1VxY6Mno" }]);
  expect(await linksOf("charge.refunded")).toContainEqual(
    expect.objectContaining({ ref: "stripe:pi_3SeVRAB7h3m8QwZx1VxY6Mno", to: "stripe:cus_TQ7rX2vLk9WbNd" }),
  );
});

const receipts = async (type: string, changes?: Record<string, unknown>) =>
  (await planSample(ruleSet, type, changes)).deliveries.filter((delivery) => delivery.action === "transactional")
    .length;

test("one purchase, one receipt", async () => {
  expect(await receipts("checkout.session.completed")).toBe(1);
  expect(await receipts("invoice.paid", { "data.object.billing_reason": "subscription_create" })).toBe(0);
  expect(await receipts("invoice.paid", { "data.object.billing_reason": "manual" })).toBe(0);
  expect(await receipts("invoice.paid")).toBe(1);
  expect(await receipts("invoice.paid", { "data.object.amount_paid": 0 })).toBe(0);
});

test("a failed payment makes a mail at the first and the last attempt, and only where Stripe charges by itself", async () => {
  const failed = (changes: Record<string, unknown>) => receipts("invoice.payment_failed", changes);
  const later = { "data.object.attempt_count": 2 };
  expect(await failed({})).toBe(1);
  expect(await failed(later)).toBe(0);
  expect(await failed({ ...later, "data.object.next_payment_attempt": null })).toBe(1);
  expect(await failed({ "data.object.collection_method": "send_invoice" })).toBe(0);
  expect(await failed({ "data.object.billing_reason": "subscription_create" })).toBe(0);
});

const templatesOf = async (name: string, change?: (body: Body) => void) =>
  (await planFor(name, change)).deliveries.flatMap((delivery) =>
    delivery.action === "transactional" ? [delivery.template] : [],
  );

test("a trial that ends makes a mail, unless the customer has cancelled already", async () => {
  expect(await templatesOf("customer.subscription.trial_will_end")).toEqual(["trial-ending"]);
  expect(await templatesOf("customer.subscription.trial_will_end.ended-now")).toEqual([]);
  const cancelled = (body: Body) => {
    body.data.object.cancel_at_period_end = true;
  };
  expect(await templatesOf("customer.subscription.trial_will_end", cancelled)).toEqual([]);
});

test("a cancellation makes one mail: when it is scheduled, or when the subscription ends at once", async () => {
  expect(await templatesOf("customer.subscription.updated")).toEqual(["cancellation"]);
  expect(await templatesOf("customer.subscription.deleted")).toEqual([]);
  expect(await templatesOf("customer.subscription.deleted.feedback")).toEqual(["cancellation"]);
  const disputed = (body: Body) => {
    body.data.object.cancellation_details.reason = "payment_disputed";
  };
  expect(await templatesOf("customer.subscription.deleted.feedback", disputed)).toEqual([]);
  expect(await templatesOf("customer.subscription.updated.reactivated")).toEqual([]);
});

test("no receipt before the payment, and none for an amount of 0", async () => {
  const unpaid = { "data.object.payment_status": "unpaid" };
  expect(await receipts("checkout.session.completed", unpaid)).toBe(0);
  expect(await receipts("checkout.session.completed", { type: "checkout.session.async_payment_succeeded" })).toBe(1);
  expect(await receipts("checkout.session.completed", { "data.object.amount_total": 0 })).toBe(0);
  expect(await receipts("checkout.session.completed", { "data.object.amount_total": null })).toBe(0);
});

test("a one-time purchase in yen by a guest", async () => {
  const { deliveries, links } = await planSample(ruleSet, "checkout.session.completed", {
    "data.object.amount_total": 4900,
    "data.object.currency": "jpy",
    "data.object.customer": null,
    "data.object.customer_details": null,
    "data.object.customer_email": "grace@example.com",
    "data.object.invoice": null,
    "data.object.metadata": {},
    "data.object.mode": "payment",
    "data.object.payment_intent": "pi_1",
  });
  const until = Date.UTC(2025, 10, 12, 12) + 400 * 86_400_000;
  expect(links).toEqual([{ ref: "stripe:pi_1", email: "grace@example.com", strength: "purchase", until }]);
  expect(deliveries.map((delivery) => delivery.contact)).toEqual(Array(3).fill({ email: "grace@example.com" }));
  expect(deliveries[0]).toHaveProperty("properties", {
    lastPurchaseAt: "2025-11-12T12:00:00.000Z",
    lastPurchaseAmount: 4900,
  });
  expect(deliveries[2]).toHaveProperty("dataVariables", {
    name: "there",
    amount: "¥4,900",
    description: "Purchase",
    date: "November 12, 2025",
    reference: "pi_1",
  });
});

test("an unpaid purchase makes no delivery until it is paid", async () => {
  const { deliveries } = await planSample(ruleSet, "checkout.session.completed", {
    "data.object.payment_status": "unpaid",
  });
  expect(deliveries).toEqual([]);
  const paid = { type: "checkout.session.async_payment_succeeded", "data.object.payment_status": "paid" };
  const later = await planSample(ruleSet, "checkout.session.completed", paid);
  expect(later.deliveries.map(({ action }) => action)).toEqual(["contact", "event", "transactional"]);
});

test("a checkout without an address uses the customer", async () => {
  const { deliveries, outcomes } = await planSample(ruleSet, "checkout.session.completed", {
    "data.object.customer": "cus_9",
    "data.object.customer_details": null,
    "data.object.customer_email": null,
  });
  expect(deliveries.map(({ contact }) => contact)).toEqual(Array(3).fill({ ref: "stripe:cus_9" }));
  expect(outcomes.every(({ outcome }) => outcome === "matched")).toBe(true);
});

test("an amount that is not a number makes no mail", async () => {
  const { deliveries, outcomes } = await planSample(ruleSet, "checkout.session.completed", {
    "data.object.amount_total": Number.POSITIVE_INFINITY,
  });
  expect(deliveries).toEqual([]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
});

test("a checkout that only saves a card makes no delivery", async () => {
  const changes = { "data.object.mode": "setup", "data.object.amount_total": null, "data.object.currency": null };
  expect((await planSample(ruleSet, "checkout.session.completed", changes)).deliveries).toEqual([]);
});

test("a customer without an address makes no contact and no failure", async () => {
  expect(await planSample(ruleSet, "customer.created", { "data.object.email": null })).toEqual({
    deliveries: [],
    outcomes: [
      { rule: "customer created", outcome: "not matched", clause: expect.stringContaining("data.object.email") },
    ],
    links: [],
  });
});

test("an invoice without an address uses the customer", async () => {
  for (const type of ["invoice.paid", "invoice.payment_failed"]) {
    const { deliveries } = await planSample(ruleSet, type, { "data.object.customer_email": null });
    expect(deliveries.length).toBeGreaterThan(0);
    for (const { contact } of deliveries) expect(contact).toEqual({ ref: "stripe:cus_TQ7rX2vLk9WbNd" });
  }
});

test("the plan and the period of older API versions, and of a price without a name", async () => {
  const item = { price: { id: "price_1", nickname: null, lookup_key: null } };
  const { deliveries } = await planSample(ruleSet, "customer.subscription.created", {
    "data.object": {
      customer: "cus_1",
      items: { data: [item] },
      current_period_end: 1_767_225_600,
      status: "trialing",
    },
  });
  expect(deliveries[0]).toHaveProperty("properties", {
    plan: "price_1",
    subscriptionStatus: "trialing",
    currentPeriodEnd: "2026-01-01T00:00:00.000Z",
  });
});

test("a subscription that starts with a trial makes two events, one of them with the end of the trial", async () => {
  const { deliveries } = await planFor("customer.subscription.created.trialing");
  const events = deliveries.filter((delivery) => delivery.action === "event");
  expect(events.map(({ eventName }) => eventName)).toEqual(["subscriptionStarted", "trialStarted"]);
  expect(events[1]?.eventProperties).toEqual({ plan: "Pro", planName: "Pro", trialEndsAt: "2025-11-26T12:00:00.000Z" });
});

test("a free checkout and a free renewal are no purchase", async () => {
  const written = Object.keys(await propertiesOf("checkout.session.completed.trial"));
  expect(written).toEqual(["stripeCustomerId", "firstName", "lastName"]);
  expect((await planFor("invoice.paid.renewal-free")).deliveries).toEqual([]);
});

test("an expired session without an amount makes an event without one", async () => {
  expect(Object.keys((await event("checkout.session.expired.no-amount")) ?? {})).not.toContain("amount");
});

test("a dispute without an address reaches the customer through its charge or its payment", async () => {
  expect(await contactsOf("charge.dispute.created.expanded-charge")).toEqual([{ ref: "stripe:cus_TQ7rX2vLk9WbNd" }]);
  const payment = "stripe:pi_3SeVRAB7h3m8QwZx1VxY6Mno";
  expect(await contactsOf("charge.dispute.created.no-address")).toEqual([{ ref: payment }]);
  expect(await linksOf("charge.succeeded")).toContainEqual({
    ref: payment,
    to: "stripe:cus_TQ7rX2vLk9WbNd",
    email: "ada@example.com",
    strength: "purchase",
    until: Date.UTC(2025, 11, 2, 6) + 400 * 86_400_000,
  });
  const withoutIntent = (body: Body) => Object.assign(body.data.object, { payment_intent: null });
  const { deliveries } = await planFor("charge.dispute.created.no-address", withoutIntent);
  expect(deliveries).toMatchObject([{ contact: { ref: "stripe:ch_3SeVRAB7h3m8QwZx1KdPz0aB" } }]);
});

test("the webhook that Stripe sends beside invoice.paid makes no delivery and names the other", async () => {
  const { outcomes } = await planFor("invoice.payment_succeeded");
  expect(outcomes.length).toBeGreaterThan(0);
  for (const { outcome, clause, message } of outcomes) {
    expect(outcome).toBe("not matched");
    expect(clause).toBeUndefined();
    expect(message).toBe("Stripe sends invoice.paid for the same change: enable invoice.paid at the endpoint.");
  }
});

test("an event has the plan's name for people, or none: never an id", async () => {
  expect(await event("customer.subscription.created")).toMatchObject({ plan: "Pro", planName: "Pro" });
  expect(await event("customer.subscription.created.expanded-product")).toMatchObject({ planName: "Pro for teams" });
  expect(await event("customer.subscription.created.plan-id")).toMatchObject({ planName: "team-monthly" });
  const ids = await event("customer.subscription.created.ids-only");
  expect(ids).toMatchObject({ plan: "price_1SQn0bB7h3m8QwZxk2Yt5LsD" });
  expect(Object.keys(ids ?? {})).not.toContain("planName");
});

test("the product's own webhooks name the plans that have no name of their own", async () => {
  const product = "stripe:prod_TNyq4Zr8cWm1Hu";
  expect(await planFor("product.created")).toMatchObject({ deliveries: [], names: [{ id: product, name: "Pro" }] });
  expect(await planFor("product.updated")).toMatchObject({
    deliveries: [],
    names: [{ id: product, name: "Pro for teams" }],
  });
  const withoutName = (body: Body) => Object.assign(body.data.object, { name: null });
  for (const [name, change] of [["price.updated"], ["customer.created"], ["product.created", withoutName]] as const)
    expect(Object.keys(await planFor(name, change))).not.toContain("names");
  const { deliveries } = await planFor("customer.subscription.created.ids-only");
  expect(deliveries.map(({ names }) => names)).toEqual([{ plan: product }, { plan: product, planName: product }]);
});

test("no rule fails where a field is missing that an API version may lack", async () => {
  const LATE = [
    "billing_details",
    "billing_reason",
    "evidence",
    "amount_remaining",
    "amount_paid",
    "status_transitions",
  ];
  const more = [
    "customer_email",
    "customer_name",
    "lines",
    "items",
    "plan",
    "price",
    "recurring",
    "cancellation_details",
  ];
  for (const name of names) {
    for (const field of [...LATE, ...more]) {
      const { outcomes } = await planFor(name, (body) => removeField(body.data, field));
      expect(
        outcomes.filter(({ outcome }) => outcome === "failed"),
        `${name} without ${field}`,
      ).toEqual([]);
    }
  }
});

const removeField = (value: Body, field: string): void => {
  if (typeof value !== "object" || value === null) return;
  delete value[field];
  for (const inner of Object.values(value)) removeField(inner, field);
};
