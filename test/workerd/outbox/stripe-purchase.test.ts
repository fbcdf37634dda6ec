import { describe, expect, it, test } from "vitest";
import { toPlannedWebhook } from "../../../src/routes/plan-deliveries.ts";
import { type Source, sources } from "../../../src/sources.ts";
import charge from "../../fixtures/stripe/charge.succeeded.json";
import guestSession from "../../fixtures/stripe/checkout.session.completed.guest.json";
import session from "../../fixtures/stripe/checkout.session.completed.json";
import customer from "../../fixtures/stripe/customer.created.json";
import subscription from "../../fixtures/stripe/customer.subscription.created.json";
import renewedSubscription from "../../fixtures/stripe/customer.subscription.updated.renewed.json";
import changedCustomer from "../../fixtures/stripe/customer.updated.json";
import overdueInvoice from "../../fixtures/stripe/invoice.overdue.json";
import firstInvoice from "../../fixtures/stripe/invoice.paid.first.json";
import renewal from "../../fixtures/stripe/invoice.paid.json";
import otherName from "../../fixtures/stripe/invoice.payment_succeeded.json";
import invoicePayment from "../../fixtures/stripe/invoice_payment.paid.json";
import guestPayment from "../../fixtures/stripe/payment_intent.succeeded.checkout.json";
import payment from "../../fixtures/stripe/payment_intent.succeeded.invoice.json";
import ownPayment from "../../fixtures/stripe/payment_intent.succeeded.json";
import product from "../../fixtures/stripe/product.created.json";
import { createBench } from "./setup.ts";

const stripe = sources.stripe as Source;
type Event = { id: string; type: string; livemode: boolean };

const PURCHASES = {
  "a one-time checkout by a guest": {
    webhooks: [guestSession, guestPayment, { ...charge, data: { object: { ...charge.data.object, customer: null } } }],
    events: ["checkoutCompleted"],
    mails: ["$49.00"],
    bought: 49,
  },
  "a checkout of a subscription": {
    webhooks: [customer, session, subscription, firstInvoice, otherName, invoicePayment, payment, charge, product],
    events: ["checkoutCompleted", "invoicePaid", "subscriptionStarted"],
    mails: ["$29.00"],
    bought: 29,
  },
  "a renewal": {
    webhooks: [customer, renewal, otherName, invoicePayment, payment, charge, renewedSubscription],
    events: ["subscriptionRenewed"],
    mails: ["$29.00"],
    bought: 29,
  },
  "a payment by the team's own code": {
    webhooks: [customer, ownPayment, charge],
    events: ["paymentSucceeded"],
    mails: [],
    bought: 49,
  },
};

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((one, index) => ({ one, place: Math.sin(seed * 97 + index * 31) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);

const planned = (event: Event, index: number, at: number) => {
  const body = { ...event, id: `${event.id}_${index}` };
  const raw = JSON.stringify(body);
  const occurredAt = at - 60_000;
  return toPlannedWebhook(
    "stripe",
    stripe,
    raw,
    { id: body.id, type: body.type, occurredAt, body, test: false },
    1,
    at,
  );
};

describe("one purchase, whatever event types are enabled and in whatever order they arrive", () => {
  it.each(Object.entries(PURCHASES))("%s", async (_, { webhooks, events, mails, bought }) => {
    for (const seed of [1, 2, 3, 4]) {
      const bench = await createBench();
      const order = shuffled(webhooks as readonly Event[], seed);
      const ids: string[] = [];
      for (const [index, event] of order.entries())
        ids.push((await bench.accept(await planned(event, index, bench.service.now()))).id);
      for (const id of ids) await bench.deliveries(id);
      const { acted } = bench.service;
      const of = (path: string) => acted.filter((request) => request.path === path).map(({ body }) => body);
      const label = order.map(({ type }) => type).join(", ");
      expect(
        of("/v1/events/send")
          .map(({ eventName }) => String(eventName))
          .sort(),
        label,
      ).toEqual(events);
      expect(
        of("/v1/transactional").map(({ dataVariables }) => (dataVariables as { amount: string }).amount),
        label,
      ).toEqual(mails);
      const amounts = of("/v1/contacts/update").flatMap((body) => {
        const { properties = {}, ...own } = body as { properties?: object };
        return Object.entries({ ...own, ...properties }).flatMap(([name, value]) =>
          name === "lastPurchaseAmount" ? [value] : [],
        );
      });
      expect(new Set(amounts), label).toEqual(new Set([bought]));
    }
  });
});

test("an overdue invoice with the customer's former address makes its event at the present one", async () => {
  const bench = await createBench();
  for (const [index, event] of [changedCustomer, overdueInvoice].entries())
    await bench.deliveries((await bench.accept(await planned(event, index, bench.service.now()))).id);
  const events = bench.service.acted.filter(({ path }) => path === "/v1/events/send").map(({ body }) => body);
  expect(overdueInvoice.data.object.customer_email).toBe("ada@example.com");
  expect(events).toMatchObject([{ eventName: "invoiceOverdue", email: "ada.lovelace@example.com" }]);
});
