import type Stripe from "stripe";
import { stripe } from "../handlers/stripe.ts";
import { customer, idOf } from "../rules/customer.ts";
import { day } from "../rules/day.ts";
import { majorUnits, money } from "../rules/money.ts";
import { firstName, lastName } from "../rules/name.ts";
import { seconds } from "../rules/seconds.ts";
import { type Contact, type Link, rules } from "../rules/types.ts";

type Session = Stripe.Checkout.Session;

const sessionEmail = (session: Session) => session.customer_details?.email ?? session.customer_email ?? undefined;

/** By address where the session has one, else by the customer. */
const sessionContact = (session: Session): Contact => {
  const email = sessionEmail(session);
  return email ? { email } : customer(session.customer);
};

/** By address where the invoice has one, else by the customer. */
const invoiceContact = (invoice: Stripe.Invoice): Contact =>
  invoice.customer_email ? { email: invoice.customer_email } : customer(invoice.customer);

const total = (session: Session) => money(session.amount_total ?? 0, session.currency ?? "usd");
const totalValue = (session: Session) => majorUnits(session.amount_total ?? 0, session.currency ?? "usd");

/** The name of the price if it has one: `nickname` is for people, `lookup_key` for code. */
const plan = (subscription: Stripe.Subscription) => {
  const price = subscription.items.data[0]?.price;
  return price?.nickname ?? price?.lookup_key ?? price?.id;
};

/** On the items since API version 2025-03-31, on the subscription before. */
const periodEnd = (subscription: Stripe.Subscription & { current_period_end?: number }) =>
  seconds(subscription.items.data[0]?.current_period_end ?? subscription.current_period_end);

export default rules(
  stripe,
  [
    {
      name: "customer created",
      on: "customer.created",
      when: (e) => Boolean(e.data.object.email),
      contact: { email: (e) => e.data.object.email },
      update: {
        stripeCustomerId: (e) => e.data.object.id,
        firstName: (e) => firstName(e.data.object.name),
        lastName: (e) => lastName(e.data.object.name),
      },
    },
    {
      name: "customer updated",
      on: "customer.updated",
      when: (e) => Boolean(e.data.object.email),
      contact: { email: (e) => e.data.object.email },
      // No name here: by now the person may have written a better one elsewhere.
      update: { stripeCustomerId: (e) => e.data.object.id },
    },
    {
      name: "checkout completed",
      on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      // Mode "setup" saves a card and sells nothing; a bank debit is unpaid until the second of these says otherwise.
      when: (e) => e.data.object.mode !== "setup" && e.data.object.payment_status !== "unpaid",
      contact: (e) => sessionContact(e.data.object),
      update: {
        stripeCustomerId: (e) => idOf(e.data.object.customer),
        lastPurchaseAt: (e) => seconds(e.created),
        lastPurchaseAmount: (e) => totalValue(e.data.object),
      },
      event: {
        name: "checkoutCompleted",
        properties: {
          amount: (e) => total(e.data.object),
          amountValue: (e) => totalValue(e.data.object),
          currency: (e) => e.data.object.currency,
          mode: (e) => e.data.object.mode,
        },
      },
    },
    // One purchase, one receipt. Checkout announces the same payment as a session and, for a subscription, as an invoice with
    // billing_reason "subscription_create": the session gets the receipt, and of invoices only a renewal does. A bank debit
    // completes its session unpaid and is announced again when the money came. If you sell without Checkout, or bill for
    // changes at once, add "subscription_create", "manual" or "subscription_update" below; Checkout and
    // "subscription_create" together would send two.
    {
      name: "checkout receipt",
      on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      when: (e) => e.data.object.payment_status !== "unpaid" && (e.data.object.amount_total ?? 0) > 0,
      contact: (e) => sessionContact(e.data.object),
      transactional: {
        template: "receipt",
        variables: {
          name: (e) => e.data.object.customer_details?.name ?? "there",
          amount: (e) => total(e.data.object),
          // A webhook has no line items: put a description into the session's metadata when you create it.
          description: (e) =>
            e.data.object.metadata?.description ??
            (e.data.object.mode === "subscription" ? "Subscription" : "Purchase"),
          date: (e) => day(e.created),
          reference: (e) => idOf(e.data.object.invoice) ?? idOf(e.data.object.payment_intent) ?? e.data.object.id,
        },
      },
    },
    {
      name: "renewal receipt",
      on: "invoice.paid",
      when: (e) => e.data.object.billing_reason === "subscription_cycle" && e.data.object.amount_paid > 0,
      contact: (e) => invoiceContact(e.data.object),
      transactional: {
        template: "receipt",
        variables: {
          name: (e) => e.data.object.customer_name ?? "there",
          amount: (e) => money(e.data.object.amount_paid, e.data.object.currency),
          description: (e) => e.data.object.lines.data[0]?.description ?? "Subscription",
          date: (e) => day(e.data.object.status_transitions.paid_at ?? e.created),
          reference: (e) => e.data.object.number ?? e.data.object.id,
        },
      },
    },
    {
      name: "payment failed",
      on: "invoice.payment_failed",
      contact: (e) => invoiceContact(e.data.object),
      event: {
        name: "paymentFailed",
        properties: {
          amount: (e) => money(e.data.object.amount_remaining, e.data.object.currency),
          amountValue: (e) => majorUnits(e.data.object.amount_remaining, e.data.object.currency),
          currency: (e) => e.data.object.currency,
          attempt: (e) => e.data.object.attempt_count,
          nextAttemptAt: (e) => seconds(e.data.object.next_payment_attempt),
          invoiceUrl: (e) => e.data.object.hosted_invoice_url,
        },
      },
    },
    {
      name: "subscription state",
      on: ["customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted"],
      contact: (e) => customer(e.data.object.customer),
      update: {
        plan: (e) => plan(e.data.object),
        subscriptionStatus: (e) => e.data.object.status,
        currentPeriodEnd: (e) => periodEnd(e.data.object),
        cancelAtPeriodEnd: (e) => e.data.object.cancel_at_period_end,
      },
    },
    {
      name: "subscription started",
      on: "customer.subscription.created",
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "subscriptionStarted",
        properties: { plan: (e) => plan(e.data.object), status: (e) => e.data.object.status },
      },
    },
    {
      name: "subscription canceled",
      on: "customer.subscription.deleted",
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "subscriptionCanceled",
        properties: { plan: (e) => plan(e.data.object), reason: (e) => e.data.object.cancellation_details?.reason },
      },
    },
  ],
  (e) => {
    switch (e.type) {
      case "customer.created":
      case "customer.updated":
        return link(e.data.object.id, e.data.object.email);
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        // If your client_reference_id is your own id of the person, add it as `userId`. Not by default: it comes from the
        // page that opened Checkout (a payment link takes it from its URL), so anyone could tie their address to a person.
        return link(e.data.object.customer, sessionEmail(e.data.object));
      case "invoice.paid":
      case "invoice.payment_failed":
        return link(e.data.object.customer, e.data.object.customer_email);
      default:
        return [];
    }
  },
);

const link = (reference: Parameters<typeof idOf>[0], email: string | null | undefined): readonly Link[] => {
  const ref = idOf(reference);
  return ref && email ? [{ ref, email }] : [];
};
